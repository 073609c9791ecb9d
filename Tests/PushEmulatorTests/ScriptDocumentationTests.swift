import APNS
import Foundation
import JSONText
import PushEmulator
import Testing

/// The examples in docs/emulator.md.
@Suite("The scripts in the documentation")
struct ScriptDocumentationTests {
  static let examples: [String] = {
    let page = URL(filePath: #filePath).appending(path: "../../../docs/emulator.md")
    let text = (try? String(contentsOf: page.standardizedFileURL, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```json5\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }()

  @Test("can be read, and played")
  func play() throws {
    #expect(Self.examples.count == 6)
    for example in Self.examples {
      let script = try FaultScript(Array(example.utf8), file: "example")
      let server = try FaultyServer([:]) {
        script.apply(to: &$0)
        // Bytes on their way from a distance wait for the clock.
        $0.uptime = EmulatorConfiguration().uptime
      }
      let client = try server.client()
      _ = try client.begin(server.sample)
      try client.run { client.concurrency != nil }
      server.emulator.stop()
    }
  }

  @Test("have every key of the grammar, and no other")
  func coverage() throws {
    var keys: Set<String> = []
    for example in Self.examples { collect(try JSONReader(.json5).read(example), into: &keys) }
    let reasons: Set = ["BadDeviceToken", "TooManyRequests", "x-odd", "x-end"]
    #expect(keys.subtracting(reasons) == Self.grammar)
  }

  static let grammar = Set(
    """
    seed rules settings errorBudget tokenRate connections when times token tokenPrefix nth every \
    from to probability attempt connection stream topic pushType priority request channel answer \
    reset drop swallow goAway freeze announce delay processed lastStream code reason debugData notice staysOpen status \
    timestamp body bodyHex bodySize contentType apnsID fields trailers interim frames trickle bytes \
    stall afterwards afterBytes at requests errors after maxConcurrentStreams initialWindowSize \
    windowIncrement slowsAt slowLimit endsAt costs count per limit acknowledgesPings refillsWindows \
    padding roundTrip bandwidth stalls length
    """.split(separator: " ").map(String.init))

  private func collect(_ json: JSON, into keys: inout Set<String>) {
    for member in json.object?.members ?? [] {
      keys.insert(member.key)
      collect(member.value, into: &keys)
    }
    for element in json.array ?? [] { collect(element, into: &keys) }
  }
}
