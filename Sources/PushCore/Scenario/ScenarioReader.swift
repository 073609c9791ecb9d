public import APNS
internal import JSONText

/// Turns the text of a scenario file into a scenario. All problems are gathered, each with its line
/// and column.
public struct ScenarioReader {
  let file: String
  private let readFile: (String) -> [UInt8]?
  let problems: ProblemList

  /// - Parameters:
  ///   - file: the scenario's file, as the user named it. Paths in it are relative to its folder.
  ///   - readFile: the bytes of another file; nil when it cannot be read.
  public init(file: String, readFile: @escaping (String) -> [UInt8]?) {
    self.file = file
    self.readFile = readFile
    problems = ProblemList(file: file, kind: "scenario")
  }

  /// Reads a scenario.
  ///
  /// - Throws: `BrokenRules` with everything that is wrong with the file.
  public func read(_ text: [UInt8]) throws(BrokenRules) -> Scenario {
    try problems.passing(scenario(problems.read(text)))
  }

  private func scenario(_ object: FileObject) -> Scenario {
    var scenario = Scenario(file: file)
    scenario.name = object.text("name")
    scenario.bundleID = object.field("bundleID", as: .topic)
    readEnvironment(object, into: &scenario)
    scenario.credentials = object.object("credentials").flatMap(credentials)
    scenario.recipients = recipients(object)
    scenario.variables = object.object("variables").map(variables) ?? [:]
    if let notification = object.object("notification", isRequired: true) {
      readNotification(notification, into: &scenario)
    }
    object.refuseOtherKeys()
    return scenario
  }

  // MARK: Where

  private func readEnvironment(_ object: FileObject, into scenario: inout Scenario) {
    guard let value = object.take("environment") else { return }
    guard value.object != nil else {
      scenario.environment = namedEnvironment(value, object)
      return
    }
    let server = FileObject(value, at: "environment", problems)
    if let url = server.value("server", isRequired: true), let text = server.text(url, "server") {
      do throws(ServerAddressError) {
        scenario.environment = .named(.server(try ServerAddress(url: text)))
      } catch {
        server.report(
          "server", url, "This is not the address of a server.",
          fix: "Write https://HOST or https://HOST:PORT.")
      }
    }
    scenario.roots = server.text("ca").map(path)
    server.refuseOtherKeys()
  }

  private func namedEnvironment(_ value: JSON, _ object: FileObject) -> EnvironmentSetting? {
    if value.string == EnvironmentSetting.autoName { return .auto }
    let named = PushEnvironment.named.first { $0.name == value.string }
    if named == nil {
      object.report(
        "environment", value, "This is no environment.",
        fix: "Write sandbox, production, emulator, auto, or an object with 'server'.")
    }
    return named.map { .named($0) }
  }

  // MARK: Who

  /// Text of hex digits is a device token, anything else a file.
  private func recipients(_ object: FileObject) -> [RecipientSource] {
    guard let value = object.take("recipients") else { return [] }
    guard let entries = value.array else {
      object.report(
        "recipients", value, "'recipients' is \(value.kind), not an array.",
        fix: "Write an array of device tokens and files.")
      return []
    }
    return entries.enumerated().compactMap { index, entry in
      let text = object.text(entry, "recipients[\(index)]")
      return text.map { text in
        if let token = try? DeviceToken(tidying: text) {
          return .tokens([token], name: "\(file): recipients[\(index)]")
        }
        return .file(path(text))
      }
    }
  }

  // MARK: What

  private func variables(_ object: FileObject) -> [String: JSON] {
    let members = object.takeAll()
    for member in members where !Template.isName(member.key) {
      object.report(
        member.key, member.value, "No placeholder can have this name.",
        fix: "Use letters, digits, _, - and dots, and not 'now'.")
    }
    return Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }
  }

  private func readNotification(_ object: FileObject, into scenario: inout Scenario) {
    let rows: [(key: String, name: HeaderName)] = [
      ("type", .pushType), ("topic", .topic), ("priority", .priority),
      ("expiration", .expiration), ("collapseID", .collapseID),
    ]
    scenario.fields = rows.compactMap { object.field($0.key, as: $0.name) }
    if let headers = object.object("headers") { scenario.fields += headers.allFields() }
    scenario.payload = object.value("payload", isRequired: true).flatMap { payload($0, object) }
    object.refuseOtherKeys()
  }

  /// A path to a file, or the payload itself.
  private func payload(_ value: JSON, _ object: FileObject) -> DraftPayload? {
    guard value.object == nil else {
      return DraftPayload(value, bytes: value.encoded(.wire), file: file)
    }
    guard let name = object.text(value, "payload") else { return nil }
    guard let bytes = readFile(path(name)) else {
      object.report(
        "payload", value, "The payload file cannot be read.",
        fix: "Name a JSON file, relative to the scenario's folder.")
      return nil
    }
    return DraftPayload(reading: bytes, file: path(name))
  }

  /// A path as it is from here, where the scenario wrote it as it is from there.
  func path(_ name: String) -> String {
    guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
    return String(file[...slash]) + name
  }
}
