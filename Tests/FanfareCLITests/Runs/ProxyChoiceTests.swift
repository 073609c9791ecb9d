import APNS
import CommandLineKit
import HTTP2
import Reporting
import Settings
import Testing

@testable import FanfareCLI
@testable import Runs

@Suite("The proxy")
struct ProxyChoiceTests {
  struct Row: CustomTestStringConvertible {
    var option: String?
    var variables: [String: String] = [:]
    /// What the plan shows.
    var shown: String?
    var testDescription: String { "\(option ?? "-") \(variables)" }
  }

  static let rows = [
    Row(),
    Row(option: "http://p:1", shown: "http://p:1 (from --proxy)"),
    Row(option: "me@p:1", shown: "http://p:1 (from --proxy)"),
    Row(
      option: "http://p:1", variables: ["https_proxy": "http://q:1", "NO_PROXY": "*"],
      shown: "http://p:1 (from --proxy)"),
    Row(option: "", variables: ["https_proxy": "http://q:1"]),
    Row(
      variables: ["https_proxy": "http://a:1", "HTTPS_PROXY": "http://b:1"],
      shown: "http://a:1 (from https_proxy)"),
    Row(
      variables: ["https_proxy": "", "HTTPS_PROXY": "http://me:secret@b:1", "all_proxy": "c:1"],
      shown: "http://b:1 (from HTTPS_PROXY)"),
    Row(
      variables: ["all_proxy": "socks5h://c:1", "ALL_PROXY": "d:1"],
      shown: "socks5h://c:1 (from all_proxy)"),
    Row(variables: ["ALL_PROXY": "d:1"], shown: "http://d:1 (from ALL_PROXY)"),
    Row(variables: ["http_proxy": "http://a:1", "HTTP_PROXY": "http://a:1"]),
    Row(variables: ["HTTPS_PROXY": "http://a:1", "NO_PROXY": "example.com"]),
    Row(
      variables: ["HTTPS_PROXY": "http://a:1", "no_proxy": "b", "NO_PROXY": "example.com"],
      shown: "http://a:1 (from HTTPS_PROXY)"),
    Row(variables: ["HTTPS_PROXY": "gopher://a:1", "NO_PROXY": "*"]),
  ]

  @Test("is the option's, else what curl would read from the environment", arguments: rows)
  func precedence(_ row: Row) throws {
    let setting = try proxy(row.option, row.variables)
    let target = DialTarget(host: "a.example.com", proxy: setting)
    #expect(target.proxyInUse?.place == row.shown)
  }

  @Test(
    "is refused when its URL cannot be read, and never shown with a login",
    arguments: [
      "gopher://me:secret@p", "https://p", "http://p:0", "http://me:secret@", "http://me:secret",
      "http://ada:Top@secret/pw@127.0.0.1:9", "http://ada:Top#secret@127.0.0.1:9",
    ])
  func unreadable(url: String) throws {
    for (option, variables) in [(url, [:]), (nil, ["HTTPS_PROXY": url])] {
      let failure = try #require(
        #expect(throws: Failure.self) {
          try proxy(option, variables)
        })
      let text = ReportText().text(of: failure.parts())
      #expect(failure.exitCode == .usage)
      #expect(text.contains(option == nil ? "HTTPS_PROXY" : "--proxy"))
      #expect(!text.contains("secret"))
    }
  }

  @Test("may hold a password in a variable, but not in an argument")
  func password() throws {
    let url = "http://me:secret@p.example:1"
    let variable = try proxy(nil, ["HTTPS_PROXY": url])
    #expect(variable?.url == url)
    let failure = try #require(
      #expect(throws: Failure.self) {
        try proxy(url)
      })
    let text = ReportText().text(of: failure.parts())
    #expect(failure.exitCode == .usage)
    #expect(text.contains("HTTPS_PROXY") && !text.contains("secret") && !text.contains("me:"))
  }

  private func proxy(
    _ option: String?, _ variables: [String: String] = [:]
  ) throws -> ProxySetting? {
    var options = Settings()
    options.proxy = option.map { Setting($0, .setting("--proxy")) }
    let context = context(variables)
    return try options.merged(context).proxySetting(for: "a.example.com", context)
  }

  @Test("is for servers elsewhere, not for the emulator in this process")
  func emulator() throws {
    let variables = ["HTTPS_PROXY": "http://p:1"]
    for (name, url) in [("emulator", nil), ("sandbox", "http://p:1")] {
      let options = try SendCommand.parse(["--env", name]).options
      let choice = try ServerChoice(options.merged(context(variables)), context(variables))
      #expect(choice.proxy?.url == url)
    }
  }
}
