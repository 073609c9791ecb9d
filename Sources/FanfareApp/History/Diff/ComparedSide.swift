internal import APNS
internal import History
internal import JSONText
internal import PushModel

/// One of two places of the history that are compared: what can be said of it, one by one.
struct ComparedSide {
  /// Something that may differ.
  struct Fact {
    let part: Part
    let name: String
    let value: JSON
  }

  /// What a fact is about.
  enum Part: String, CaseIterable {
    case request
    case payload
    case answer
    /// How long the answer took. It is always another.
    case latency
    case counts
  }

  let run: RunNumber
  /// The push; nil for a run.
  let push: PushEntry?
  private(set) var facts: [Fact] = []
  /// Why the payload is not known; nil when it is.
  private(set) var lost: Failure?

  init(_ place: HistoryPlace, in history: any HistoryStore) throws(Failure) {
    switch place {
    case .run(let number): self.init(try history.storedRun(number))
    case .push(let id):
      let push = try history.storedPush(id)
      let stored = try history.storedRun(push.run)
      self.init(push, stored, try StoredRequest(of: push, in: stored, history))
    }
  }

  /// A run: what all its pushes had in common, and what they came to.
  init(_ stored: StoredRun) {
    run = stored.entry.run
    push = nil
    addRequest(stored)
    addPayload(stored.payload)
    add(.counts, "pushes", .init(stored.entry.tally.total))
    for outcome in Outcome.allCases {
      add(.counts, outcome.words, .init(stored.entry.tally[outcome]))
    }
    for reason in stored.reasons { add(.counts, reason.name, .init(reason.count)) }
  }

  /// A push: its request and its answer.
  init(_ push: PushEntry, _ stored: StoredRun, _ request: StoredRequest) {
    run = push.run
    self.push = push
    addRequest(stored)
    switch request.body {
    case .payload(let payload): addPayload(payload)
    case .lost(let failure, _): lost = failure
    }
    add(.answer, "outcome", .init(.string(push.outcome.rawValue)))
    if let response = push.response { add(.answer, "status", .init(response.status.rawValue)) }
    if let reason = push.response?.reason?.rawValue {
      add(.answer, "reason", .init(.string(reason)))
    }
    add(.answer, "attempts", .init(push.attempts))
    if let latency = push.latencyMicroseconds {
      add(.latency, "latency", .init(.string(milliseconds(Double(latency) / 1000))))
    }
  }

  /// Whether its answers can be held against those of another place.
  var isRun: Bool { push == nil }

  private mutating func addRequest(_ stored: StoredRun) {
    let record = stored.entry.record
    add(.request, "environment", .init(.string(record.environment)))
    if let server = record.server { add(.request, "server", .init(.string(server))) }
    add(.request, "signed in by", .init(.string(stored.usesCertificate ? "certificate" : "token")))
    for field in stored.fields { add(.request, field.name, .init(.string(field.value))) }
  }

  private mutating func addPayload(_ payload: [UInt8]) {
    guard let json = try? JSONReader().read(payload) else {
      add(.payload, "text", .init(.string(String(decoding: payload, as: UTF8.self))))
      return
    }
    json.forEachLeaf { add(.payload, $0, $1) }
  }

  private mutating func add(_ part: Part, _ name: String, _ value: JSON) {
    facts.append(Fact(part: part, name: name, value: value))
  }
}

extension JSON {
  fileprivate init(_ number: Int) { self.init(.number(JSONNumber(number))) }

  /// Hands out what is at the ends of the branches, with the way there: `aps.alert.title`,
  /// `items[0]`, `["a key"].x`.
  fileprivate func forEachLeaf(_ path: String = "", _ body: (String, JSON) -> Void) {
    switch content {
    case .object(let object) where !object.members.isEmpty:
      for member in object.members {
        member.value.forEachLeaf(path + step(to: member.key, isFirst: path.isEmpty), body)
      }
    case .array(let elements) where !elements.isEmpty:
      for (index, element) in elements.enumerated() {
        element.forEachLeaf("\(path)[\(index)]", body)
      }
    default: body(path.isEmpty ? "payload" : path, self)
    }
  }

  private func step(to key: String, isFirst: Bool) -> String {
    let isPlain = !key.isEmpty && key.utf8.allSatisfy { $0.isPlainKey }
    guard isPlain else { return "[\(JSON(.string(key)).encodedString())]" }
    return isFirst ? key : "." + key
  }
}

extension UInt8 {
  /// A letter, a digit, a hyphen or an underscore.
  fileprivate var isPlainKey: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
