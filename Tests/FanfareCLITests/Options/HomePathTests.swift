import CommandLineKit
import JSONText
import Reporting
import Runs
import Settings
import Testing

@testable import FanfareCLI

@Suite("A path that a shell left with a tilde")
struct HomePathTests {
  private static let home = ["HOME": "/home/ada"]

  private func options(_ words: [String]) throws -> Settings? {
    var tool = fanfareTool()
    tool.home = "/home/ada"
    guard case .run(let command, _) = try tool.parse(["send"] + words) else { return nil }
    return (command as? SendCommand)?.options
  }

  @Test("is in the home folder, behind '=' and behind '@', and text keeps its tilde")
  func option() throws {
    let words = ["--history=~/h.sqlite", "--payload", "@~/p.json", "--title", "~/ is home"]
    let options = try options(words + ["--tokens=~/a.txt", "--tokens", "b.txt", "--key=~/k.p8"])
    #expect(options?.history?.value == "/home/ada/h.sqlite")
    #expect(options?.payload?.value == "/home/ada/p.json")
    #expect(options?.tokens?.value == ["/home/ada/a.txt", "b.txt"])
    #expect(options?.key?.value == .file("/home/ada/k.p8"))
    #expect(options?.changes["title"]?.value.string == "~/ is home")
  }

  @Test("is in the home folder in variables, too")
  func variable() throws {
    let variables = [
      "FANFARE_CA": "~/ca.pem", "FANFARE_HISTORY": "~/h.sqlite", "FANFARE_KEY": "~/none/k.p8",
    ]
    let context = context(variables.merging(Self.home) { $1 })
    let settings = try Settings().merged(context)
    #expect(settings.ca?.value == "/home/ada/ca.pem")
    #expect(settings.history?.value == "/home/ada/h.sqlite")
    let failure = #expect(throws: Failure.self) {
      try CredentialSecret(.variable("FANFARE_KEY"), for: "key", context)
    }
    #expect(failure?.sentence.contains("/home/ada/none/k.p8") ?? false)
  }

  @Test("is in the home folder in a profile, whatever folder its file is in")
  func profile() throws {
    let text = "{profiles: {p: {history: '~/h', ca: 'c', credentials: {key: '~/k'}}}}"
    let file = try ProfileFile(
      reading: Array(text.utf8), path: "app/fanfare.json", home: "/home/ada", isOwn: false)
    let settings = file.profiles[0].settings
    #expect(settings.history?.value == "/home/ada/h" && settings.ca?.value == "app/c")
    #expect(settings.key?.value == .file("/home/ada/k"))
  }
}
