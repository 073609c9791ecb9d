import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// The history in the folder of every example, which is made once: twelve runs of an hour ago. Two
/// of them have the identity that examples name.
struct UserHistory: Sendable {
  static let shared = Result { try withFanfare { try Self($0) } }

  /// The variables that sign in.
  static func variables(_ folder: TemporaryFolder) -> [String: String] {
    ["FANFARE_KEY": folder.file(keyFile), "FANFARE_TEAM_ID": "DEF123GHIJ"]
  }

  private static let place = ".local/state/fanfare"

  private let bytes: Data
  private let folder: String

  private init(_ fanfare: Fanfare) throws {
    folder = fanfare.folder.path
    let first = ["send", "--env", "emulator", "--bundle-id", "com.example.shop", "--title", "Hi"]
    for _ in 1...10 { #expect(try fanfare.run(first + ["--to", device("0a1b")]).exitCode == 0) }
    let services = try AppleServices(sandbox: Self.answer)
    try fanfare.folder.write("ca.pem", services.authorities)
    let words = ["send", "--env", "sandbox", "--bundle-id", "com.example.shop"]
    let variables = Self.variables(fanfare.folder).merging(
      ["HTTPS_PROXY": services.proxy.url, "FANFARE_CA": "ca.pem"]) { $1 }
    let good = (1...5).flatMap { ["--to", tokenText($0)] }
    let eleventh = words + ["--title", "Hello"] + good
    #expect(try fanfare.run(eleventh, environment: variables).exitCode == 0)
    let twelfth = words + ["--title", "Good morning", "--priority", "5"]
    let recipients = Self.recipients.flatMap { ["--to", $0] }
    let unfinished = try fanfare.run(twelfth + recipients, environment: variables)
    #expect(unfinished.exitCode == 4, "\(unfinished.errors)")
    let file = fanfare.folder.file("\(Self.place)/history.sqlite")
    Self.makeOlder(file)
    bytes = try Data(contentsOf: URL(filePath: file))
  }

  /// Run 12 goes to a device without the app, to good ones, to a token of the wrong environment,
  /// and to one that the sandbox has no time for.
  private static let recipients = [
    tokenText(0x4f1c_09ab), tokenText(1), tokenText(2), tokenText(0x6855_043f), tokenText(503),
  ]

  private static let answer: AppleServices.Answer = { push in
    switch push.token.number {
    case 0x4f1c_09ab: .reject(.unregistered, timestamp: 1_700_000_000_000)
    case 0x6855_043f: .reject(.badDeviceToken)
    case 503: .reject(.serviceUnavailable)
    default: nil
    }
  }

  private static func makeOlder(_ file: String) {
    guard let database = try? SQLiteFile(file) else { return }
    database.execute("UPDATE runs SET started = started - 3600000, finished = finished - 3600000")
    // 670d9cb8-5d51-48d9-ad87 and 6b1f0c52-93a7-4e1d-8d2c without what marks a UUID as random.
    for (run, high, low) in [
      (1, "0x670d9cb85d518d9", "0x2d87"), (12, "0x6b1f0c5293a7e1d", "0x0d2c"),
    ] {
      database.execute("UPDATE runs SET id_high = \(high), id_low = \(low) WHERE id = \(run)")
    }
  }

  /// Puts the history where fanfare looks for it.
  func write(into folder: TemporaryFolder) throws {
    try folder.makeFolder(Self.place)
    let file = folder.file("\(Self.place)/history.sqlite")
    try bytes.write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let settings = "replace(settings, '\(self.folder)', '\(folder.path)')"
    try Self.change(in: folder, "UPDATE runs SET settings = \(settings)")
  }

  /// Does SQL to the history of a folder.
  static func change(in folder: TemporaryFolder, _ sql: String) throws {
    try SQLiteFile(folder.file("\(place)/history.sqlite")).execute(sql)
  }
}
