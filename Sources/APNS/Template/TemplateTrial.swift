import JSONText

/// Fills a template with sample values to find the problems that are independent of the rows.
struct TemplateTrial {
  private let form: TemplateForm
  private let judge: RowJudge
  private let samples: [[JSON]]

  /// The maximum number of payloads to try. One is enough if it breaks no rule.
  private static let roundLimit = 64

  init(_ form: TemplateForm, _ judge: RowJudge) {
    self.form = form
    self.judge = judge
    samples = form.names.indices.map { name in
      Self.samples(for: form.slots.filter { $0.name == name }, now: judge.context.now)
    }
  }

  /// The problems common to all payloads. The first one uses the best sample of each variable; the
  /// others use pseudorandom combinations, which are the same each time.
  func commonProblems() -> [Problem] {
    var common: [Problem]?
    var random = Sequence32()
    for round in 0..<Self.roundLimit {
      let values = values { round == 0 ? 0 : random.next(below: samples[$0].count) }
      guard let problems = problems(values) else { continue }
      let remaining = common.map { $0.filter { problems.contains(like: $0) } } ?? problems
      if remaining.isEmpty { return [] }
      common = remaining
      if samples.allSatisfy({ $0.count == 1 }) { break }
    }
    return common ?? []
  }

  private func values(_ choice: (Int) -> Int) -> TemplateValues {
    var values = TemplateValues()
    for name in samples.indices {
      let isFixed = form.slots.contains { $0.name == name && $0.fixed != nil }
      samples[name][choice(name)].encoded(.wire).withUnsafeBufferPointer {
        values.append(isFixed ? .missing : .json, $0)
      }
    }
    return values
  }

  /// The problems of a payload; nil if the values do not fit their places. A value for all rows
  /// that does not fit is reported itself.
  private func problems(_ values: TemplateValues) -> [Problem]? {
    var payload: [UInt8] = []
    var traits: [UInt8] = []
    if form.write(values, into: &payload, traits: &traits) {
      return judge.problems(of: payload, counting: form.literal)
    }
    let faults = form.faults(values).filter { $0.slot.fixed != nil }
    guard !faults.isEmpty, let payload = judge.draft.payload else { return nil }
    return faults.flatMap { $0.slot.problem($0.fault, form.names[$0.slot.name], in: payload) }
  }

  // MARK: Values that would do

  private static func samples(for slots: [TemplateSlot], now: Int64) -> [JSON] {
    if slots.contains(where: { $0.fixed != nil }) { return ["text"] }
    let typed = slots.filter { $0.isWhole || $0.isNumber || $0.influence == .value }
      .flatMap { samples(for: $0, now: now) }
    return typed.isEmpty ? ["text"] : typed
  }

  private static func samples(for slot: TemplateSlot, now: Int64) -> [JSON] {
    let row = PayloadKeyNode.row(at: slot.path)
    let values = row.map { samples(of: $0, now: now) } ?? ["text"]
    let numbers = values.filter { $0.number != nil }
    return slot.isNumber ? (numbers.isEmpty ? [1] : numbers) : values
  }

  private static func samples(of key: PayloadKey, now: Int64) -> [JSON] {
    switch key.values {
    case .any, .typeName: key.kinds.map(\.sample)
    case .soundFile: key.kinds.map(\.sample) + (key.kinds.contains(.object) ? [criticalSound] : [])
    case .words(let words): words.map { JSON(.string($0)) }
    case .numbers(let range): [range.lowerBound, range.upperBound].compactMap(number)
    case .wholeNumbers(let range):
      (range.upperBound == .max ? [range.lowerBound] : [range.lowerBound, range.upperBound])
        .map { JSON(.number(JSONNumber($0))) }
    case .one: [1]
    case .yes: [true]
    case .moment:
      [0, 3600, -3600, 86_400].map { JSON(.number(JSONNumber(max(now, 1 << 30) + $0))) }
    case .base64: ["AAAA"]
    }
  }

  private static let criticalSound: JSON = ["critical": 1, "name": "default"]

  private static func number(_ value: Double) -> JSON? {
    JSONNumber(double: value).map { JSON(.number($0)) }
  }
}

extension PayloadKey.Kind {
  fileprivate var sample: JSON {
    switch self {
    case .text: "text"
    case .number: 1
    case .bool: true
    case .object: [:]
    case .texts: ["text"]
    }
  }
}

extension [Problem] {
  fileprivate func contains(like problem: Problem) -> Bool {
    contains { $0.rule == problem.rule && $0.place == problem.place }
  }
}

/// Reproducible pseudorandom numbers (a linear congruential generator).
private struct Sequence32 {
  private var state: UInt64 = 1

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % Swift.max(limit, 1)
  }
}
