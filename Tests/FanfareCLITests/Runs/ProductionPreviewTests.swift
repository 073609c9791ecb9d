import APNS
import CommandLineKit
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

@Suite("What is shown before production")
struct ProductionPreviewTests {
  private func preview(_ sources: [RecipientSource]) throws -> ProductionPreview {
    let options = try SendCommand.parse(["--bundle-id", "a.b", "--body", "Hi"]).options
    var assembly = DraftAssembly(try options.merged(context()), context())
    let message = try Message(assembly.draft(), in: RuleContext(now: presentSecond), force: false)
    return try ProductionPreview(message, to: sources, RecipientSelection(), as: .txt)
  }

  @Test("counts several runs exactly only if each of them can be counted")
  func exactness() throws {
    let two = RecipientSource.tokens([try DeviceToken(tokenText(1)), try DeviceToken(tokenText(2))])
    for (first, second, text) in [
      (two, two, "4 pushes for a.b"), (two, .standardInput, "at least 2 pushes"),
      (.standardInput, two, "at least 2 pushes"),
      (.standardInput, .standardInput, "an unknown number of pushes"),
    ] {
      var preview = try preview([first])
      preview.add(try self.preview([second]))
      #expect(preview.text(showsTokens: false).contains(": \(text)"))
      #expect(preview.isExact == ([first, second] == [two, two]))
    }
  }
}
