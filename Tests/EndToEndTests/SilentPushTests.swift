import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Like APNs, the emulator allows one stream until its first answer.
@Suite("A push that is never answered", .timeLimit(.minutes(10)))
struct SilentPushTests {
  private static let count = 2001
  private static let oneStream = Announcement(maxConcurrentStreams: 1)

  /// The pushes without an answer, by number.
  struct Place: CustomTestStringConvertible {
    let testDescription: String
    let pushes: Set<Int>

    init(_ name: String, _ pushes: some Sequence<Int>) {
      (testDescription, self.pushes) = (name, Set(pushes))
    }
  }

  static let places = [
    Place("the first", [1]), Place("the first three", 1...3), Place("one in the middle", [1000]),
    Place("the last", [2001]), Place("one in each 500", stride(from: 1, through: 2001, by: 500)),
  ]

  @Test("costs itself alone", arguments: places, ["auto", "1", "4"])
  func silent(_ place: Place, connections: String) throws {
    // With three losses in a row the only connection ends the run, as documented.
    if connections == "1", place.pushes.isSuperset(of: 1...3) { return }
    try withFanfare { fanfare in
      let witness = Witness()
      let server = try Server(
        fanfare,
        witness.configuration(answer: {
          place.pushes.contains($0.token.number) ? .swallow : nil
        }))
      try fanfare.folder.write("list.txt", tokenList(Self.count))
      let result = try server.send(
        "--tokens", "list.txt", "--timeout", "2s", "--connections", connections, "--json")
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(summary["accepted"]?.int == Self.count - place.pushes.count, "\(result.errors)")
      #expect(summary["unknown"]?.int == place.pushes.count && result.exitCode == 4)
      let twice = witness.sights.filter { $1.ids.count > 1 }.keys
      expectSame(Set(twice), Set(place.pushes.map(tokenText)))
    }
  }

  @Test("leaves nobody out whose pushes are left to a connection that has nothing more to take")
  func leftToNobody() throws {
    try withFanfare { fanfare in
      let witness = Witness()
      // The second connection waits for its first answer when the first one has only the last pushes
      // in flight, and knows that no more come.
      let server = try Server(
        fanfare,
        witness.configuration(answer: { push in
          switch (push.connection, push.stream) {
          case (1, 1): nil
          case (1, _): .delay(milliseconds: 1500, then: .accept)
          case (_, 1): .announce(Self.oneStream, then: .delay(milliseconds: 3500, then: .accept))
          default: nil
          }
        }))
      try fanfare.folder.write("list.txt", tokenList(1500))
      let result = try server.send(
        "--tokens", "list.txt", "--timeout", "20s", "--connections", "2", "--json")
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(summary["accepted"] == 1500 && result.exitCode == 0, "\(result.output)")
    }
  }

  @Test("ends a run where none is answered, only PINGs, with a few in doubt")
  func onlyPings() throws {
    try withFanfare { fanfare in
      let witness = Witness()
      let server = try Server(fanfare, witness.configuration(answer: { _ in .swallow }))
      try fanfare.folder.write("list.txt", tokenList(100_000))
      let result = try server.send("--tokens", "list.txt", "--timeout", "1s", "--json")
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(result.exitCode == 3 && result.errors.contains("no answer in time"))
      #expect((1...24).contains(summary["unknown"]?.int ?? 0), "\(result.output)")
      #expect(summary["unknown"]?.int == witness.sights.count)
    }
  }
}
