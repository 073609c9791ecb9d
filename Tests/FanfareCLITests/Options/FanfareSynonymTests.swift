import APNS
import CommandLineKit
import Reporting
import Settings
import Testing

@testable import FanfareCLI
@testable import Tools

@Suite("The words of other tools")
struct FanfareSynonymTests {
  static let rows: [(line: String, meant: String)] = [
    ("resend", "history resend"), ("man", "manual"), ("lint", "check"), ("validate", "check"),
    ("push", "send"), ("list", "history list"), ("tail", "history tail"),
    ("export", "history export"), ("stats", "history stats"), ("show", "history show"),
    ("curl", "history export --format curl"), ("ls", "history list"), ("new", "init"),
    ("completion", "completions"), ("server", "emulator"), ("jwt", "token"),
    ("history ls", "list"), ("history send", "fanfare send"), ("config list", "show"),
    ("send --token x", "--to"), ("send --device-token x", "--to"), ("send --device=x", "--to"),
    ("send --file x", "--payload"), ("send --data-file x", "--payload"),
    ("send --message x", "--body"), ("send --bundle x", "--bundle-id"),
    ("send --bundleID x", "--bundle-id"), ("send --p8 x", "--key"),
    ("send --teamid x", "--team-id"),
    ("send --p12 x", "--cert"), ("send --sandbox", "--env sandbox"),
    ("send --production", "--env production"), ("send --environment x", "--env"),
    ("send --ttl 1", "--expiration"),
    ("send --silent", "--content-available"), ("send --push-type x", "--type"),
    ("history export --curl", "--format curl"), ("send --debug", "--verbose"),
    ("send --env prod", "production"), ("send --env development", "sandbox"),
    ("send --env dev", "sandbox"), ("send --env DEV", "sandbox"),
    ("send --env local", "emulator"), ("-v", "--version"),
    ("repeat", "send --again"), ("again", "send --again"), ("watch", "send --watch"),
    ("profiles", "config profiles"), ("profile", "config profiles"), ("device rm", "remove"),
    ("device delete", "remove"), ("device show", "list"), ("devices", "device list"),
    ("config schema fanfare", "config"), ("config schema fanfare.json", "config"),
    ("send 0a1b2c3d4e5f", "--to TOKEN"), ("send --to 0a1b order.json", "--payload FILE"),
    ("send list.txt", "--tokens FILE"),
  ]

  @Test("lead to fanfare's own", arguments: rows)
  func lead(_ row: (line: String, meant: String)) {
    let words = row.line.split(separator: " ").map(String.init)
    #expect(message(of: words).contains("'\(row.meant)'"), "\(message(of: words))")
  }

  @Test("lead to commands and options that exist, and each is in its table once")
  func exist() throws {
    let tool = fanfareTool().description
    let names = Set(tool.root.family.flatMap(\.options).flatMap(\.spellings))
    let synonyms = Synonyms.fanfare
    for option in synonyms.options.flatMap(\.meant) where option.hasPrefix("-") {
      #expect(names.contains(String(option.prefix { $0 != " " })), "\(option)")
    }
    let lines = synonyms.commands.flatMap(\.meant) + synonyms.options.flatMap(\.meant)
    for line in lines where !line.hasPrefix("-") {
      let path = line.split(separator: " ").prefix { !$0.hasPrefix("-") }.map(String.init)
      let isKnown = tool.commands.contains { $0.path.dropFirst() == path[...] }
      #expect(isKnown || path == ["help"], "\(line)")
    }
    for rows in [synonyms.commands, synonyms.options] {
      let words = rows.map(\.word)
      #expect(Set(words).count == words.count)
    }
  }

  @Test("no command is in the table of what is not one")
  func noCommands() {
    let lines = fanfareTool().description.commands.map {
      $0.path.dropFirst().joined(separator: " ")
    }
    #expect(Synonyms.fanfare.commands.allSatisfy { !lines.contains($0.word) })
  }

  @Test("a device token never stands whole in an error")
  func tokens() {
    let token = String(repeating: "0a1b2c3d4e5f6071", count: 4)
    let lines = [
      ["send", "--token", token], ["send", "--token=\(token)"], ["send", token], [token],
      ["send", "--\(token)"], ["send", "--env", token], ["history", "show", token],
      ["history", token],
    ]
    for words in lines { #expect(!message(of: words).contains(token.prefix(20)), "\(words)") }
    let file = FileFailure(path: token, action: .read, fault: .missing, purpose: "payload")
    #expect(file.sentence == "The payload file …4e5f6071 does not exist.")
    #expect(file.fix.contains("looks like a device token"))
    #expect(!Failure.unknownTopic(token, near: []).sentence.contains(token.prefix(20)))
  }

  @Test("environments by other names are told in variables and files too")
  func environments() {
    #expect(EnvironmentSetting.name(meantBy: "Prod") == "production")
    #expect(EnvironmentSetting.name(meantBy: "production") == nil)
  }

  private func message(of words: [String]) -> String {
    do throws(UsageError) {
      _ = try fanfareTool().parse(words)
      return ""
    } catch {
      return error.message
    }
  }
}
