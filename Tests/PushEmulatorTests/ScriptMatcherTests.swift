import APNS
import HTTP2
import Testing

@testable import PushEmulator

@Suite("Rules of a script")
struct ScriptMatcherTests {
  private func matcher(_ rules: FaultRule..., seed: UInt64 = 0) -> ScriptMatcher {
    var script = FaultScript()
    (script.rules, script.seed) = (rules, seed)
    return ScriptMatcher(script)
  }

  private func push(_ number: Int, token: String = "ab", connection: Int = 1) throws -> IncomingPush
  {
    IncomingPush(
      number: number, connection: connection, stream: 3, openStreams: 1,
      token: try DeviceToken(token), apnsID: "", headers: RequestSample().request.headers, body: [])
  }

  private func condition(_ change: (inout PushCondition) -> Void) -> PushCondition {
    var condition = PushCondition()
    change(&condition)
    return condition
  }

  struct Case: Sendable {
    var change: @Sendable (inout PushCondition) -> Void
    var hits: [Int]
  }

  static let numbers = [
    Case(change: { _ in }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.nth = 2 }, hits: [2]),
    Case(change: { $0.every = 3 }, hits: [3, 6]),
    Case(change: { $0.from = 4 }, hits: [4, 5, 6]),
    Case(change: { ($0.from, $0.to) = (2, 3) }, hits: [2, 3]),
    Case(change: { ($0.every, $0.to) = (2, 4) }, hits: [2, 4]),
    Case(change: { $0.attempt = 2 }, hits: [2]),
    Case(change: { $0.token = "ab" }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.token = "abab" }, hits: []),
    Case(change: { $0.tokenPrefix = "a" }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.tokenPrefix = "b" }, hits: []),
    Case(change: { $0.connection = 1 }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.connection = 2 }, hits: []),
    Case(change: { $0.stream = 3 }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.stream = 5 }, hits: []),
    Case(change: { $0.topic = "com.example.shop" }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.topic = "com.example" }, hits: []),
    Case(change: { $0.pushType = "alert" }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.pushType = "voip" }, hits: []),
    Case(change: { $0.priority = "10" }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.priority = "5" }, hits: []),
    Case(change: { $0.request = .device }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.request = .broadcast }, hits: []),
    Case(change: { $0.request = .channel }, hits: []),
    Case(change: { $0.channel = "AAAA" }, hits: []),
    Case(change: { $0.probability = 1 }, hits: [1, 2, 3, 4, 5, 6]),
    Case(change: { $0.probability = 0 }, hits: []),
  ]

  @Test("are for the pushes that they say", arguments: numbers)
  func hits(_ example: Case) throws {
    var matcher = matcher(FaultRule(condition(example.change), .swallow))
    let hits = try (1...6).filter { try matcher.answer(to: push($0)) != nil }
    #expect(hits == example.hits)
  }

  @Test("decide in their order, each so many times")
  func decidesInOrder() throws {
    var matcher = matcher(
      FaultRule(condition { $0.every = 2 }, .swallow, times: 2),
      FaultRule(condition { $0.from = 4 }, .reset(code: 7)))
    let answers = try (1...7).map { try matcher.answer(to: push($0)) }
    #expect(
      answers == [nil, .swallow, nil, .swallow, .reset(code: 7), .reset(code: 7), .reset(code: 7)])
  }

  @Test("count the attempts of each device token by itself")
  func countsAttempts() throws {
    var matcher = matcher(FaultRule(condition { $0.attempt = 2 }, .swallow))
    let tokens = ["aa", "bb", "aa", "bb", "aa"]
    let hits = try tokens.enumerated().map { number, token in
      try matcher.answer(to: push(number + 1, token: token, connection: number)) != nil
    }
    #expect(hits == [false, false, true, true, false])
  }

  /// What a rule says, and whether it hits a push to the channel AAAA and a request to delete it.
  static let channels: [(change: @Sendable (inout PushCondition) -> Void, hits: [Bool])] = [
    ({ _ in }, [true, false]), ({ $0.request = .broadcast }, [true, false]),
    ({ $0.request = .channel }, [false, true]), ({ $0.request = .device }, [false, false]),
    ({ $0.channel = "AAAA" }, [true, false]), ({ $0.channel = "BBBB" }, [false, false]),
    ({ ($0.request, $0.channel) = (.channel, "AAAA") }, [false, true]),
    ({ $0.tokenPrefix = "" }, [false, false]), ({ $0.attempt = 1 }, [true, false]),
    ({ ($0.request, $0.attempt) = (.channel, 2) }, [false, true]),
  ]

  @Test("are for requests about channels, and for those that manage them if they say so")
  func hitsChannels() throws {
    for (change, hits) in Self.channels {
      var matcher = matcher(FaultRule(condition(change), .swallow))
      let answers = [RequestKind.broadcast, .channel].map { kind in
        matcher.answer(
          to: IncomingPush(
            number: 1, connection: 1, stream: 1, openStreams: 1, kind: kind, token: nil,
            channel: "AAAA", apnsID: "", headers: RequestSample().request.headers, body: []))
      }
      #expect(answers.map { $0 != nil } == hits)
    }
  }

  @Test("hit by chance the same pushes whatever their order, and others with another seed")
  func isDeterministic() throws {
    let rule = FaultRule(condition { $0.probability = 0.3 }, .swallow)
    let tokens = (0..<1000).map { String(format16: $0) }
    func hits(_ tokens: [String], seed: UInt64) throws -> Set<String> {
      var matcher = matcher(rule, seed: seed)
      return Set(
        try tokens.enumerated().filter { number, token in
          try matcher.answer(to: push(number + 1, token: token)) != nil
        }.map(\.element))
    }
    let first = try hits(tokens, seed: 7)
    #expect(try hits(tokens.reversed(), seed: 7) == first)
    #expect(250...350 ~= first.count)
    let second = try hits(tokens, seed: 8)
    #expect(50...150 ~= first.intersection(second).count)
  }

  @Test("have each their own chance, and a new one for each attempt")
  func hasOwnChance() throws {
    let rule = FaultRule(condition { $0.probability = 0.5 }, .swallow)
    var matcher = matcher(rule, FaultRule(rule.condition, .accept))
    let answers = try (0..<1000).map { try matcher.answer(to: push($0 + 1)) }
    #expect(400...600 ~= answers.count { $0 == .swallow })
    #expect(180...320 ~= answers.count { $0 == .accept })
  }

  @Test("hash as they always have, so that a seed means the same tomorrow")
  func isStable() {
    var hash = StableHash(7)
    hash.mix(1)
    #expect(hash.fraction == 0.28323542321370354)
  }
}

extension String {
  /// Four hexadecimal digits.
  fileprivate init(format16 number: Int) {
    let digits = String(number, radix: 16)
    self = String(repeating: "0", count: 4 - digits.count) + digits
  }
}
