import APNS
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Testing

extension FaultRow {
  /// Answers in other forms than APNs'.
  static let oddAnswers = [
    FaultRow(
      25, "Padding, interim answers, trailers, and bodies in many frames",
      "Puts the body together and reads the reason whole",
      .run(.exactlyOnce) { bench in
        var answer = CustomAnswer.refusal(.unregistered, timestamp: 1_700_000_000_000)
        answer.interim = [100, 103]
        answer.trailers = [Field("x-trailer", "yes")]
        answer.pace = .frames(of: 1)
        let split = answer
        try bench.serve(with: { $0.serverOptions.padding = 200 }) {
          $0.token % 10 == 0 ? .custom(split) : nil
        }
        bench.books.expected = [.accepted: 900, .rejected: 100]
        let delivery = try bench.send(1000)
        let refused = delivery.results.filter { $0.outcome == .rejected }
        #expect(refused.allSatisfy { $0.response?.timestamp == 1_700_000_000_000 })
      }),
    FaultRow(
      30, "A body that is cut off, malformed, HTML, empty or a megabyte",
      "Keeps the status and goes without the reason",
      body("cut off", #"{"reason":"BadDev"#), body("malformed", "}{"),
      body("HTML", "<html>Bad Gateway</html>"), body("empty object", "{}"),
      body("not UTF-8", [0xFF, 0xFE, 0x00]),
      body("a megabyte", [UInt8](repeating: 0x78, count: 1 << 20))),
    FaultRow(
      31, "A refusal without a body", "Lets the status decide",
      .run(.exactlyOnce) { bench in
        try bench.serve { $0.token % 10 == 0 ? .custom(.init(status: .gone)) : nil }
        bench.books.expected = [.accepted: 900, .rejected: 100]
        let delivery = try bench.send(1000)
        #expect(delivery.results.allSatisfy { $0.attempts == 1 })
      }),
    FaultRow(
      32, "200 with a body", "Ignores the body",
      .run(.exactlyOnce) { bench in
        let text = Array(#"{"reason":"BadDeviceToken"}"#.utf8)
        try bench.serve { _ in .custom(.init(body: .bytes(text, contentType: "text/plain"))) }
        try bench.send(1000)
      }),
    FaultRow(
      33, "An apns-id that is missing, another's, in upper case, or there twice",
      "Matches answers by stream",
      identifier("missing", .missing), identifier("upper case", .upperCase),
      identifier("twice", .twice),
      identifier("another's", .other("00000000-0000-4000-8000-000000000000"))),
    FaultRow(
      34, "A status or reason that nobody knows",
      "Keeps what it says; the status decides, and no redirect is followed",
      status(520, becomes: .deferred), status(408, becomes: .deferred),
      status(302, becomes: .deferred), status(418, becomes: .rejected),
      everybody(301), everybody(307), everybody(999),
      .run(.exactlyOnce, "a new reason") { bench in
        let reason = try #require(Reason(rawValue: "MoonPhaseNotSupported"))
        try bench.serve {
          $0.token % 100 == 0 ? .reject(status: .badRequest, reason: reason) : nil
        }
        bench.books.expected = [.accepted: 990, .rejected: 10]
        let delivery = try bench.send(1000)
        #expect(delivery.summary.reasons.keys.map(\.reason) == [reason])
      }),
  ]

  private static func body(_ name: String, _ text: String) -> FaultCase {
    body(name, Array(text.utf8))
  }

  private static func body(_ name: String, _ bytes: [UInt8]) -> FaultCase {
    .run(.exactlyOnce, name) { bench in
      let answer = CustomAnswer(status: .gone, body: .bytes(bytes))
      try bench.serve { $0.token % 20 == 0 ? .custom(answer) : nil }
      bench.books.expected = [.accepted: 190, .rejected: 10]
      let delivery = try bench.send(200)
      #expect(delivery.results.allSatisfy { $0.response?.reason == nil && $0.attempts == 1 })
    }
  }

  private static func identifier(_ name: String, _ id: CustomAnswer.Identifier) -> FaultCase {
    .run(.exactlyOnce, name) { bench in
      try bench.serve { _ in .custom(.init(apnsID: id)) }
      try bench.send(1000)
    }
  }

  /// Each answer takes its connection with it.
  private static func everybody(_ number: Int) -> FaultCase {
    .run(.boundedEnd, "\(number) for everybody") { bench in
      let answer = CustomAnswer(status: Status(rawValue: number))
      try bench.serve { _ in .custom(answer) }
      bench.books.causes = ["breaker", "\(number)"]
      let delivery = try bench.send(1000)
      #expect(delivery[.deferred] == 3 && delivery[.notAttempted] == 997)
    }
  }

  private static func status(_ number: Int, becomes outcome: Outcome) -> FaultCase {
    .run(.exactlyOnce, "\(number)") { bench in
      let answer = CustomAnswer(status: Status(rawValue: number))
      try bench.serve { $0.token % 500 == 250 ? .custom(answer) : nil }
      bench.books.expected = [.accepted: 998, outcome: 2]
      try bench.send(1000)
    }
  }
}
