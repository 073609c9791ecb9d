internal import APNS
internal import History
internal import JSONText
internal import PushModel
internal import Reporting
internal import Runs
internal import SQLHistory
internal import Settings

/// One side of a comparison: a run or push of the history, as a list of facts.
struct ComparedSide {
  enum Part: String, JSONWord {
    case request
    case payload
    case answer
    /// The time until the answer. It always differs.
    case latency
    case counts
  }

  let run: RunNumber
  /// The push; nil for a run.
  let push: PushEntry?
  private(set) var facts: [(part: Part, name: String, value: JSON)] = []
  /// The reason the payload is unavailable; nil if it is available.
  private(set) var lost: Failure?

  init(
    _ place: HistoryReference, in history: HistoryReader, _ context: Context
  ) throws(Failure) {
    switch place {
    case .run(let number): try self.init(history.storedRun(number), in: history)
    case .last: try self.init(history.newestStoredRun(), in: history)
    case .push(let id):
      let push = try history.storedPush(id)
      let stored = try history.storedRun(push.run)
      self.init(push, stored, try StoredRequest(of: push, in: stored, history, context))
    }
  }

  private init(_ stored: StoredRun, in history: HistoryReader) throws(Failure) {
    self.init(stored, reasons: try history.reasonsOfAllPasses(of: stored.entry))
  }

  /// A run: the facts that all its pushes share, and its totals.
  init(_ stored: StoredRun, reasons: [ReasonCount] = []) {
    run = stored.entry.run
    push = nil
    let tally = stored.entry.completeTally
    addRequest(stored)
    addPayload(stored.payload)
    add(.counts, "pushes", .number(tally.total))
    for outcome in Outcome.allCases { add(.counts, outcome.words, .number(tally[outcome])) }
    for reason in reasons { add(.counts, reason.name, .number(reason.count)) }
  }

  init(_ push: PushEntry, _ stored: StoredRun, _ request: StoredRequest) {
    run = push.run
    self.push = push
    addRequest(stored)
    switch request.body {
    case .payload(let payload): addPayload(payload)
    case .lost(let failure, _): lost = failure
    }
    add(.answer, "outcome", .text(push.outcome.rawValue))
    add(.answer, "status", .number(push.response?.status.rawValue))
    add(.answer, "reason", .text(push.response?.reason?.rawValue))
    add(.answer, "attempts", .number(push.attempts))
    add(.latency, "latency", .text(push.latency))
  }

  private mutating func addRequest(_ stored: StoredRun) {
    let record = stored.entry.record
    add(.request, "environment", .text(record.environment))
    add(.request, "server", .text(record.server))
    add(.request, "signed in by", .text(stored.usesCertificate ? "certificate" : "token"))
    for field in stored.fields { add(.request, field.name, .text(field.value)) }
  }

  private mutating func addPayload(_ payload: [UInt8]) {
    guard let json = try? JSONReader().read(payload) else {
      add(.payload, "text", .text(String(decoding: payload, as: UTF8.self)))
      return
    }
    json.forEachLeaf { facts.append((.payload, $0, $1)) }
  }

  private mutating func add(_ part: Part, _ name: String, _ value: JSON) {
    if value != nil { facts.append((part, name, value)) }
  }

  /// The facts of a part by name, and the names in order. If a name is repeated, the last one
  /// counts, as in a payload.
  func values(_ part: Part) -> (names: [String], values: [String: JSON]) {
    var (names, values): ([String], [String: JSON]) = ([], [:])
    for fact in facts where fact.part == part {
      if values.updateValue(fact.value, forKey: fact.name) == nil { names.append(fact.name) }
    }
    return (names, values)
  }
}

extension JSON {
  /// Calls `body` with each leaf and its path: `aps.alert.title`, `items[0]`, `["a key"].x`.
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
    let isPlain =
      !key.isEmpty
      && key.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")
      }
    guard isPlain else { return "[\(JSON(.string(key)).encodedString())]" }
    return isFirst ? key : "." + key
  }
}
