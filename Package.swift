// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The modules that tests send hundreds of thousands of pushes through. `make` has them optimized in
/// debug builds too, assertions included: the processor time of EndToEndTests fell from 951 to some
/// 500 s. APNS and Credentials are left out, because the compiler takes two minutes longer for them
/// that way. A package that others depend on may not have such flags, so they are asked for with a
/// variable.
let engine: Set = [
  "PlainText", "JSONText", "POSIX", "HTTP2", "PushModel", "Recipients", "Delivery", "Fanfare",
  "History", "SQLHistory", "PushEmulator",
]
let optimization: [SwiftSetting] =
  Context.environment["FANFARE_OPTIMIZED_ENGINE"] == nil
  ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// A C library of the system: a module map and a shim, found through pkg-config.
func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// A Swift target; its dependencies are the import arrows of docs/architecture.md, and no others.
/// `embedded` are folders in it that are built into the program; Plugins/EmbedFiles names them too.
func library(
  _ name: String, imports dependencies: [Target.Dependency] = [], embedded: [String]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: embedded ?? [],
    swiftSettings: engine.contains(name) ? settings + optimization : settings,
    plugins: embedded == nil ? [] : [.plugin(name: "EmbedFiles")])
}

/// Writes pages and payloads as strings into Swift files of the build. `.embedInCode` cannot: see
/// docs/architecture.md.
let embedding: [Target] = [
  .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed"]),
  .executableTarget(name: "embed", path: "Plugins/embed", swiftSettings: settings),
]

/// `fixtures` are folders that the tests read where they lie.
func tests(
  of names: Target.Dependency..., named name: String, fixtures: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: names, exclude: fixtures, swiftSettings: settings)
}

/// What `make fuzz` feeds with broken input. The tests feed it with the corpus.
let fuzzing = Target.target(
  name: "Fuzzing",
  dependencies: [
    "APNS", "CSQLite", "Credentials", "Delivery", "HTTP2", "History", "JSONText", "POSIX",
    "PlainText", "PushModel", "Recipients", "SQLHistory", "Settings",
  ],
  path: "Fuzzing", exclude: ["Corpus", "words.dict"], swiftSettings: settings)

/// What the tests share: folders, programs, proxies, keys, pipes, databases.
let testSupport = Target.target(
  name: "TestSupport", dependencies: ["APNS", "CPQ", "Credentials"], path: "Tests/TestSupport",
  swiftSettings: settings)

/// What tests that send share: runs in the process, the program, and emulators that keep books.
let sendingSupport = Target.target(
  name: "SendingSupport",
  dependencies: [
    "APNS", "CSQLite", "Credentials", "Delivery", "HTTP2", "JSONText",
    "PushEmulator", "PushModel", "Recipients", "SQLHistory", "TestSupport",
  ],
  path: "Tests/SendingSupport", swiftSettings: settings)

/// A draft for every rule that breaks it, and one that nearly does.
let ruleSamples = Target.target(
  name: "RuleSamples", dependencies: ["APNS", "JSONText"], path: "Tests/RuleSamples",
  swiftSettings: settings)

let package = Package(
  name: "fanfare",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "fanfare", targets: ["FanfareCLI"]),
    .library(name: "Fanfare", targets: ["Fanfare"]),
    .library(name: "FanfareTesting", targets: ["FanfareTesting"]),
  ],
  targets: [
    system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    system(
      "CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    system("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev", brew: "libnghttp2"),
    system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev", brew: "openssl@3"),
    system("CPQ", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    .target(name: "CProcess", dependencies: ["COpenSSL"], publicHeadersPath: "."),
    library("POSIX", imports: ["CProcess"]),
    library("PlainText"),
    library("JSONText"),
    library("APNS", imports: ["JSONText", "PlainText"]),
    library(
      "HTTP2", imports: ["CCurl", "CNGHTTP2", "COpenSSL", "CProcess", "POSIX", "PlainText"]),
    library(
      "Credentials", imports: ["APNS", "COpenSSL", "HTTP2", "JSONText", "PlainText", "POSIX"]),
    library("PushModel", imports: ["APNS", "JSONText"]),
    library(
      "Recipients", imports: ["APNS", "COpenSSL", "JSONText", "PlainText", "POSIX", "PushModel"]),
    library(
      "Delivery",
      imports: ["APNS", "Credentials", "HTTP2", "POSIX", "PlainText", "PushModel"]),
    library(
      "Fanfare",
      imports: [
        "APNS", "Credentials", "Delivery", "HTTP2", "JSONText", "POSIX", "PushModel",
      ]),
    library("History", imports: ["APNS", "PushModel"]),
    library(
      "SQLHistory",
      imports: ["APNS", "CPQ", "CSQLite", "History", "PlainText", "POSIX", "PushModel"]),
    library(
      "SQLQueue",
      imports: ["APNS", "PlainText", "POSIX", "PushModel", "SQLHistory"]),
    library(
      "Diagnosis",
      imports: ["APNS", "Credentials", "HTTP2", "POSIX"]),
    library(
      "PushEmulator", imports: ["APNS", "COpenSSL", "Credentials", "HTTP2", "JSONText", "POSIX"]),
    library(
      "WebServer", imports: ["APNS", "CMicroHTTPD", "HTTP2", "JSONText", "POSIX"],
      embedded: ["Shared"]),
    library(
      "PushInbox", imports: ["APNS", "JSONText", "POSIX", "PushEmulator", "WebServer"],
      embedded: ["Page"]),
    library(
      "FanfareTesting",
      imports: ["APNS", "Credentials", "Fanfare", "HTTP2", "JSONText", "POSIX", "PushEmulator"]),
    library("CommandLineKit", imports: ["PlainText"]),
    library(
      "Reporting",
      imports: [
        "APNS", "CProcess", "Credentials", "HTTP2", "JSONText", "POSIX", "PlainText", "PushModel",
        "Recipients",
      ]),
    library(
      "Settings",
      imports: [
        "APNS", "CommandLineKit", "Credentials", "HTTP2", "JSONText", "POSIX", "PlainText",
        "PushEmulator", "PushModel", "Recipients", "Reporting", "SQLHistory",
      ],
      embedded: []),
    library(
      "Runs",
      imports: [
        "APNS", "Credentials", "Delivery", "HTTP2", "History", "JSONText", "POSIX", "PlainText",
        "PushEmulator", "PushModel", "Recipients", "Reporting", "SQLHistory", "SQLQueue",
        "Settings", "WebServer",
      ]),
    library(
      "Scenarios",
      imports: [
        "APNS", "Delivery", "HTTP2", "JSONText", "POSIX", "PlainText",
        "PushModel", "Recipients", "Reporting", "Runs", "SQLHistory", "Settings",
      ]),
    library(
      "HistoryCommands",
      imports: [
        "APNS", "HTTP2", "History", "JSONText", "PlainText", "PushEmulator",
        "PushModel", "Recipients", "Reporting", "Runs", "SQLHistory", "Settings",
      ],
      embedded: ["HistoryPage/Web"]),
    library(
      "Tools",
      imports: [
        "APNS", "Credentials", "Diagnosis", "HTTP2", "History", "HistoryCommands", "JSONText",
        "POSIX", "PlainText", "PushEmulator", "PushInbox", "PushModel", "Recipients",
        "Reporting", "Runs", "SQLHistory", "Scenarios", "Settings", "WebServer",
      ]),
    library(
      "Studio",
      imports: [
        "APNS", "CommandLineKit", "HTTP2", "JSONText", "POSIX", "PlainText", "Recipients",
        "Reporting", "Runs", "Settings", "WebServer",
      ],
      embedded: ["Page"]),
    .executableTarget(
      name: "FanfareCLI",
      dependencies: [
        "APNS", "CProcess", "CommandLineKit", "HTTP2", "History", "HistoryCommands", "POSIX",
        "PushEmulator", "PushModel", "Reporting", "Runs", "Scenarios", "Settings",
        "Studio", "Tools",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "library-benchmark", dependencies: ["Fanfare"], path: "Benchmarks/library",
      swiftSettings: settings),
    tests(of: "PlainText", named: "PlainTextTests"),
    tests(of: "JSONText", named: "JSONTextTests"),
    tests(of: "APNS", "JSONText", "RuleSamples", "TestSupport", named: "APNSTests"),
    tests(of: "HTTP2", "CCurl", "COpenSSL", "TestSupport", named: "HTTP2Tests"),
    tests(
      of: "Credentials", "APNS", "COpenSSL", "CSQLite", "JSONText", "SendingSupport",
      "TestSupport", named: "CredentialsTests"),
    tests(
      of: "Recipients", "APNS", "COpenSSL", "CSQLite", "JSONText", "PushModel",
      "SendingSupport", "TestSupport", named: "RecipientsTests"),
    tests(
      of: "Delivery", "APNS", "CSQLite", "Credentials", "HTTP2", "PushEmulator",
      "PushModel", "Recipients", "SQLHistory", "SendingSupport", "TestSupport",
      named: "DeliveryTests"),
    tests(
      of: "Fanfare", "APNS", "Credentials", "Delivery", "HTTP2", "PushEmulator", "PushModel",
      "SendingSupport", "Settings", "TestSupport", named: "FanfareTests"),
    tests(
      of: "FanfareTesting", "Fanfare", "HTTP2", "SendingSupport", "TestSupport",
      named: "FanfareTestingTests"),
    tests(
      of: "SQLHistory", "APNS", "CPQ", "CSQLite", "Delivery", "History", "PlainText",
      "PushModel", "Recipients", "SendingSupport", "TestSupport", named: "SQLHistoryTests",
      fixtures: ["Snapshots"]),
    tests(
      of: "SQLQueue", "APNS", "History", "PushModel", "Recipients", "SQLHistory",
      "SendingSupport", "TestSupport", named: "SQLQueueTests"),
    tests(
      of: "Settings", "APNS", "JSONText", "PushModel", "Recipients", "TestSupport",
      named: "SettingsTests"),
    tests(
      of: "Diagnosis", "APNS", "COpenSSL", "CSQLite", "Credentials", "HTTP2",
      "PushEmulator", "SendingSupport", named: "DiagnosisTests"),
    tests(
      of: "PushEmulator", "APNS", "COpenSSL", "HTTP2", "JSONText", "RuleSamples", "TestSupport",
      named: "PushEmulatorTests"),
    tests(
      of: "PushInbox", "APNS", "CProcess", "HTTP2", "JSONText", "PushEmulator", "SendingSupport",
      "TestSupport", "WebServer", named: "PushInboxTests"),
    tests(
      of: "FanfareCLI", "JSONText", "PushEmulator", "SendingSupport", "Studio", "TestSupport",
      "WebServer",
      named: "StudioTests"),
    tests(
      of: "CommandLineKit", "TestSupport", named: "CommandLineKitTests", fixtures: ["Snapshots"]),
    tests(
      of: "FanfareCLI", "APNS", "COpenSSL", "CSQLite", "CommandLineKit", "Credentials", "Delivery",
      "Diagnosis", "HTTP2", "History", "HistoryCommands", "JSONText", "POSIX",
      "PlainText", "PushEmulator", "PushModel", "Recipients", "Reporting", "Runs", "SQLHistory",
      "Scenarios", "SendingSupport", "Settings", "TestSupport", "Tools",
      named: "FanfareCLITests", fixtures: ["Snapshots"]),
    tests(
      of: "FanfareCLI", "APNS", "CSQLite", "CommandLineKit", "Delivery", "HTTP2",
      "HistoryCommands", "JSONText", "Reporting", "Runs", "Scenarios",
      "Settings", "Tools", "PushEmulator", "SQLHistory", "SendingSupport", "TestSupport",
      named: "EndToEndTests"),
    tests(
      of: "FanfareCLI", "JSONText", "SendingSupport", "TestSupport",
      named: "PageTests"),
    tests(
      of: "FanfareCLI", "APNS", "CSQLite", "Delivery", "HTTP2", "JSONText",
      "PushEmulator", "PushModel", "Recipients", "SQLHistory", "SendingSupport", "TestSupport",
      named: "FaultTests"),
    tests(of: "Fuzzing", named: "FuzzingTests"),
    fuzzing,
    testSupport,
    sendingSupport,
    ruleSamples,
  ] + embedding,
  swiftLanguageModes: [.v6]
)
