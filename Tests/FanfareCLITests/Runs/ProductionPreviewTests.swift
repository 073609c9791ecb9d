import APNS
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import Runs

@Suite("What is shown before production")
struct ProductionPreviewTests {
  private func preview(_ sources: [RecipientSource]) throws -> ProductionPreview {
    let plan = try PlannedSample(sources)
    return ProductionPreview(plan.message, try plan.pushes())
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
