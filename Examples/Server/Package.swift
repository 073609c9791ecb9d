// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "orders",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "fanfare", path: "../..")],
  targets: [
    .target(name: "Orders", dependencies: [.product(name: "Fanfare", package: "fanfare")]),
    .executableTarget(
      name: "orders", dependencies: ["Orders", .product(name: "Fanfare", package: "fanfare")],
      path: "Sources/Server"),
    .testTarget(
      name: "OrdersTests",
      dependencies: [
        "Orders", .product(name: "Fanfare", package: "fanfare"),
        .product(name: "FanfareTesting", package: "fanfare"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
