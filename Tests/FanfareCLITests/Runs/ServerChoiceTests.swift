import APNS
import CommandLineKit
import HTTP2
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Reporting
@testable import Runs
@testable import Settings

@Suite("The server")
struct ServerChoiceTests {
  struct Row: CustomTestStringConvertible {
    var words: [String] = []
    var scenario: PushEnvironment?
    var variables: [String: String] = [:]
    var name: String?
    var testDescription: String { "\(words) \(scenario?.name ?? "-") \(variables)" }
  }

  static let rows = [
    Row(
      words: ["--env", "sandbox"], scenario: .emulator, variables: ["FANFARE_ENV": "production"],
      name: "sandbox"),
    Row(
      words: ["--server", "https://a.example:8443"], scenario: .emulator,
      variables: ["FANFARE_ENV": "production"], name: "https://a.example:8443"),
    Row(scenario: .emulator, variables: ["FANFARE_ENV": "production"], name: "emulator"),
    Row(scenario: .emulator, variables: ["FANFARE_SERVER": "https://a.example"], name: "emulator"),
    Row(variables: ["FANFARE_ENV": "production"], name: "production"),
    Row(
      variables: ["FANFARE_SERVER": "https://a.example", "FANFARE_ENV": "production"], name: nil),
    Row(
      words: ["--env", "sandbox"],
      variables: ["FANFARE_SERVER": "https://a.example", "FANFARE_ENV": "production"],
      name: "sandbox"),
    Row(variables: ["FANFARE_SERVER": "https://a.example"], name: "https://a.example"),
    Row(words: ["--env", "auto"], name: "sandbox, production"),
    Row(
      words: ["--env", "auto", "--port", "2197"],
      name: "https://api.sandbox.push.apple.com:2197, https://api.push.apple.com:2197"),
    Row(variables: ["FANFARE_ENV": "auto"], name: "sandbox, production"),
    Row(variables: ["FANFARE_ENV": ""], name: nil), Row(name: nil),
    Row(
      words: ["--env", "sandbox", "--port", "2197"],
      name: "https://api.sandbox.push.apple.com:2197"),
    Row(words: ["--env", "sandbox", "--server", "https://a.example"], name: nil),
    Row(words: ["--env", "emulator", "--ca", "ca.pem"], name: nil),
    Row(words: ["--env", "emulator", "--proxy", "http://a.example"], name: nil),
    Row(words: ["--env", "sandbox", "--port", "2195"], name: nil),
    Row(words: ["--env", "auto", "--port", "8443"], name: nil),
    Row(words: ["--env", "emulator", "--port", "2197"], name: nil),
    Row(words: ["--server", "https://a.example", "--port", "2197"], name: nil),
    Row(words: ["--server", "http://a.example"], name: nil),
    Row(words: ["--server", "https://a.example/3/device"], name: nil),
    Row(variables: ["FANFARE_ENV": "prod"], name: nil),
  ]

  @Test(
    "is the option's, else the scenario's, else the variable's; never a default",
    arguments: rows)
  func precedence(_ row: Row) throws {
    var scenario = Settings()
    scenario.environment = row.scenario.map { Setting(.named($0), .file("s.json5")) }
    let options = try SendCommand.parse(row.words).options
    let choice = try? choice(options, scenario, row.variables)
    #expect(choice?.environments.map(\.name).joined(separator: ", ") == row.name)
  }

  @Test("is not two variables', which are named with what to do")
  func bothVariables() throws {
    let variables = ["FANFARE_SERVER": "https://a.example", "FANFARE_ENV": "production"]
    let error = #expect(throws: Failure.self) { try choice(Settings(), Settings(), variables) }
    #expect(error?.sentence == "FANFARE_SERVER and FANFARE_ENV are both set.")
    #expect(error?.fix.contains("Unset one of them") == true && error?.exitCode == .usage)
  }

  @Test(
    "has the roots of the highest layer that names them; a scenario's only for its own server",
    arguments: [
      (["--ca", "option.pem"], "scenario.pem", "option.pem"), ([], "scenario.pem", "scenario.pem"),
      (["--env", "sandbox"], "scenario.pem", "variable.pem"), ([], nil, "variable.pem"),
    ])
  func roots(_ row: (words: [String], scenario: String?, roots: String)) throws {
    var scenario = Settings()
    let server = ServerAddress(host: "push.example.com")
    scenario.environment = Setting(.named(.server(server)), .file("s.json5"))
    scenario.serverCA = row.scenario.map { Setting($0, .file("s.json5")) }
    let options = try SendCommand.parse(row.words).options
    let variables = ["FANFARE_CA": "variable.pem"]
    #expect(try choice(options, scenario, variables).roots == row.roots)
  }

  @Test("in this process is trusted by its own certificate, whatever a variable names")
  func ownRoots() throws {
    try withTemporaryFolder { folder in
      let other = try folder.write("other.pem", "")
      let context = context(["FANFARE_CA": other, "TMPDIR": folder.path])
      let options = try SendCommand.parse(["--env", "emulator"]).options
      let endpoint = try Endpoint(ServerChoice(options.merged(context), context), context)
      let roots = try #require(endpoint.target.additionalRoots)
      #expect(roots.hasPrefix(folder.path) && roots != other)
    }
  }

  private func choice(
    _ options: Settings, _ scenario: Settings, _ variables: [String: String]
  ) throws -> ServerChoice {
    let context = context(variables)
    return try ServerChoice(options.merged(over: scenario, context), context)
  }
}
