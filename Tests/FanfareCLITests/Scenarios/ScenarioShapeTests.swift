import APNS
import Foundation
import Settings
import TestSupport
import Testing

@testable import Tools

@Suite("The keys of scenarios")
struct ScenarioShapeTests {
  private static let formats: String = {
    let page = projectFolder.appending(path: "docs/formats.md")
    return (try? String(contentsOf: page, encoding: .utf8))
      ?? ""
  }()

  /// The parts of a step are described once, as those of the scenario.
  static let places = ScenarioShape.file.places.map(\.path).filter { path in
    !["steps[].notification.", "steps[].expect.", "credentials.key.env", "credentials.cert.env"]
      .contains { path.hasPrefix($0) } && !path.hasPrefix("credentials.passwordFile.env")
  }

  @Test("are all described, each by its whole path", arguments: places)
  func described(_ path: String) {
    #expect(Self.formats.contains("`\(path)`"))
  }

  @Test("can be explained, by their path or their last word")
  func explained() {
    let words = [
      "expect.acceptedAtLeast", "acceptedatleast", "steps[].wait", "passwordFile", "connections",
    ]
    for word in words {
      #expect(ExplainedTopic.all.contains { $0.kind == .scenarioKey && $0.answers(to: word) })
    }
  }
}
