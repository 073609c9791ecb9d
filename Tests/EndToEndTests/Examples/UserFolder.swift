import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// What somebody has who tries out an example: a folder with the files that examples name, a
/// history of twelve runs, and Apple's hosts, for which emulators stand.
struct UserFolder {
  let fanfare: Fanfare
  private let services: AppleServices
  private let emulator: Emulator

  /// The number of a device token that the sandbox does not know.
  static let unknownToken = 0xbad

  var folder: TemporaryFolder { fanfare.folder }

  init(_ fanfare: Fanfare) throws {
    self.fanfare = fanfare
    let busy = BusyDevices()
    services = try AppleServices(
      sandbox: { $0.token.number == Self.unknownToken ? .reject(.badDeviceToken) : nil },
      production: busy.answer)
    services.sandbox.replaceChannels(by: try Self.channels)
    emulator = try Emulator()
    try folder.write("ca.pem", services.authorities + emulator.certificateAuthorityPEM)
    for name in ["payloads", "scenarios"] {
      try FileManager.default.copyItem(
        atPath: projectFolder.appending(path: name).path, toPath: folder.file(name))
    }
    try writePrograms()
    try writeFiles()
    try UserHistory.shared.get().write(into: folder)
  }

  private func writePrograms() throws {
    try folder.makeFolder("bin")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("bin/fanfare"), withDestinationPath: Fanfare.path)
    // Only a Mac with Xcode has it.
    try folder.writeProgram("bin/xcrun", "#!/bin/sh\ncat >pushed.json\n")
    // Where completions are kept; a shell that has any has the folders.
    try folder.makeFolder(".local/share/bash-completion/completions")
    try folder.makeFolder(".zfunc")
  }

  private func writeFiles() throws {
    for (name, text) in Self.files { try folder.write(name, text) }
    try folder.makeFolder(".config/fanfare")
    try folder.write(".config/fanfare/devices.json", Self.devices)
    let secrets = try UserSecrets.shared.get()
    let certificate = try folder.writeSecret("push.p12", "")
    try secrets.certificate.write(to: URL(filePath: certificate))
    try folder.writeSecret("token.txt", secrets.providerToken)
  }

  /// The channel that examples name, in each of the apps that they name.
  private static var channels: [Channel] {
    get throws {
      let id = try ChannelID("dHN0LXNyY2gtY2hubA==")
      return try ["com.example.app", "com.example.scores"].map { app in
        Channel(id: id, app: try BundleID(app), policy: .latest, created: 0)
      }
    }
  }

  /// A line that `--results` wrote.
  private static func result(_ number: Int, _ outcome: String, _ status: Int) -> String {
    """
    {"sequence":\(number),"list":"all.csv","line":\(number),"token":"\(tokenText(number))",\
    "apnsID":"681dc321-a1aa-4110-bb8b-00000000000\(number)","outcome":"\(outcome)",\
    "status":\(status),"reason":null,"timestamp":null,"uniqueID":null,"attempts":1,\
    "latencyMilliseconds":0.746,"answeredAt":1795275000620}

    """
  }

  private static let alert = #"{"aps": {"alert": {"title": "News", "body": "Read all about it"}}}"#

  private static let devices = """
    {"devices": {"my-phone": {"token": "\(tokenText(5))"}, "my-watch": {"token": "\(tokenText(6))"}}}

    """

  private static let files = [
    "order.json": alert, "news.json": alert, "more-news.json": alert,
    "call.json": #"{"caller": "Ada"}"#,
    "push.sh": """
    curl -v --header "apns-topic: com.example.app" --header "apns-push-type: alert" \\
      --header "authorization: bearer $AUTHENTICATION_TOKEN" --data '\(alert)' --http2 \\
      https://api.sandbox.push.apple.com/3/device/${DEVICE_TOKEN}

    """,
    "hello.apns": #"{"Simulator Target Bundle": "com.example.app", "aps": {"alert": "Hello"}}"#,
    "vip.csv": """
    token;name;unread
    0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9;Ada;3
    1a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9;;12

    """,
    "all.csv": "token,name\n\(tokenText(1)),Ada\n\(tokenText(2)),Grace\n",
    "export.csv": "token\n" + BusyDevices.numbers.map { tokenText($0) + "\n" }.joined(),
    "dead.csv": "token\n\(tokenText(2))\n",
    "all.txt": tokenList(20), "beta.txt": tokenList(3), "tokens.txt": tokenList(1000),
    "list.txt": tokenList(2000),
    "results.jsonl": result(1, "deferred", 503) + result(2, "accepted", 200),
    "rest.jsonl": result(1, "accepted", 200),
    "bad-day.json5": #"{rules: [{when: {nth: 3}, answer: {reason: "BadDeviceToken"}}]}"#,
  ]

  /// Examples name an emulator that runs already, and a port that others may have.
  private func suited(_ script: String) -> String {
    script.replacing("https://127.0.0.1:39063", with: emulator.url)
      .replacing("/tmp/fanfare-ca-AF5TkW", with: "ca.pem").replacing(
        "--port 8443", with: "--port 0")
  }

  /// Brings about what an example needs beyond the others.
  func prepare(_ feature: ExampleStaging.Feature) throws {
    switch feature {
    case .finds(let files):
      try replace(with: files)
    case .findsHistory(let sql): try UserHistory.change(in: folder, sql)
    case .isLeftOut, .ends, .runsOn: break
    }
  }

  private func replace(with files: [String: String]) throws {
    for name in Set(files.keys.compactMap { $0.split(separator: "/").first }) {
      try? FileManager.default.removeItem(atPath: folder.file(String(name)))
    }
    for (name, text) in files {
      try folder.makeFolder(name.split(separator: "/").dropLast().joined(separator: "/"))
      try folder.write(name, text)
    }
  }

  /// Does what an example shows, to the end.
  func perform(
    _ example: ShellExample, _ features: [ExampleStaging.Feature]
  ) throws -> Program.Result {
    for feature in features {
      guard case .runsOn(let command) = feature else { continue }
      return try stop(example, while: command)
    }
    return try start(example.script, of: example).finish()
  }

  /// What each command of an example said.
  func outputs(of example: ShellExample) -> [String] {
    example.commands.indices.map { (try? folder.text("output-\($0)")) ?? "" }
  }

  /// Ctrl-C, after as many lines as the example shows, or one.
  ///
  /// - Parameter command: is repeated until then.
  private func stop(_ example: ShellExample, while command: String?) throws -> Program.Result {
    let program = try start(example.bareScript, of: example)
    let loop = "until [ -e stopped ]; do \(command ?? "break"); done"
    let others = try start(loop, of: example)
    let shown = max(1, example.commands[0].output.count)
    // What is repeated meanwhile may be under way when the example begins.
    let count = command == nil ? shown : 2 * shown - 1
    let lines = (0..<count).compactMap { _ in program.readLine() }
    program.send(SIGINT)
    let result = try program.finish()
    try folder.write("stopped", "")
    try folder.write("output-0", lines.joined(separator: "\n") + "\n" + result.output)
    _ = try others.finish()
    return result
  }

  /// Starts a script in bash. Keys come from variables, unless no account is needed.
  private func start(_ script: String, of example: ShellExample) throws -> Program {
    let environment = environment(signsIn: !example.text.contains("--env emulator"))
    let path = "export PATH=\(folder.file("bin")):$PATH\n"
    return try Program(
      path: try requirePath(of: "bash"), ["-c", path + suited(script)], in: folder,
      environment: environment)
  }

  private func environment(signsIn: Bool) -> [String: String] {
    let roots = folder.file("ca.pem")
    let place = [
      "HTTPS_PROXY": services.proxy.url, "NO_PROXY": "127.0.0.1", "FANFARE_CA": roots,
      "CURL_CA_BUNDLE": roots, "TOKEN": tokenText(7),
    ]
    return signsIn ? place.merging(UserHistory.variables(folder)) { $1 } : place
  }
}

/// Credentials that take a while to make, and are made once.
struct UserSecrets: Sendable {
  /// A PKCS#12 file that is locked in an outdated way.
  let certificate: Data
  let providerToken: String

  static let shared = Result { try withFanfare { try Self($0) } }

  private init(_ fanfare: Fanfare) throws {
    _ = try CredentialWorkshop(in: fanfare.folder)
    certificate = try Data(contentsOf: URL(filePath: fanfare.folder.file("legacy.p12")))
    providerToken = try fanfare.start(["token"] + credentials).finish().output
  }
}
