/// Renders the payload of each row of a list.
public protocol RowRendering: Sendable {
  /// The variables it uses, without duplicates.
  var names: [String] { get }

  /// The variables that every row has to provide; empty if unknown.
  var neededNames: [String] { get }

  /// Renders one row.
  ///
  /// - Parameters:
  ///   - values: a value for each of `names`, in their order.
  ///   - payload: the buffer to append the payload to; unchanged on error.
  /// - Throws: `BrokenRules` with the row's problems: a missing variable, a broken rule, too many
  ///   bytes. The row is skipped; the other rows are not affected.
  mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules)
}

extension RowRendering {
  /// No required variables.
  public var neededNames: [String] { [] }
}

/// Renders a template row by row and checks each row against all rules.
///
/// Rows with equal traits break the same rules, so their verdict is computed once;
/// ``TemplateSlot/Influence`` defines what matters to rules. The length is checked for every row.
public struct TemplateRenderer: RowRendering {
  private let form: TemplateForm
  private let judge: RowJudge
  private let isForced: Bool
  private var traits: [UInt8] = []
  private var verdicts: [[UInt8]: [Problem]] = [:]

  /// The maximum number of cached verdicts, which take a few megabytes at most.
  static let verdictLimit = 1024

  init(_ form: TemplateForm, _ judge: RowJudge, isForced: Bool) {
    self.form = form
    self.judge = judge
    self.isForced = isForced
  }

  /// The variables, without duplicates, in the order of the payload.
  public var names: [String] { form.names }

  /// The variables without a value for all rows and, in at least one place, without a default.
  public var neededNames: [String] { form.neededNames }

  /// Renders one row.
  ///
  /// - Throws: `BrokenRules` with all problems of the row, including warnings, if one of them is an
  ///   error. With force, only a value that does not fit its place is an error.
  public mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    let start = payload.count
    let problems = fill(values, into: &payload, from: start)
    if problems.isEmpty { return }
    payload.removeLast(payload.count - start)
    throw BrokenRules(problems)
  }

  /// Renders the payload of a recipient without variables.
  ///
  /// - Throws: `BrokenRules`, as for a row without any of the variables.
  public mutating func payloadWithoutVariables() throws(BrokenRules) -> Payload {
    var payload: [UInt8] = []
    try render(TemplateValues(missing: names.count), into: &payload)
    return Payload(rendered: payload)
  }

  /// Appends the payload, and returns the problems that keep it from being sent.
  private mutating func fill(
    _ values: TemplateValues, into payload: inout [UInt8], from start: Int
  ) -> [Problem] {
    traits.removeAll(keepingCapacity: true)
    guard form.write(values, into: &payload, traits: &traits) else {
      return form.problems(values, in: judge.draft)
    }
    if isForced { return [] }
    if payload.count - start > judge.payloadLimit { return errors(in: payload[start...]) }
    if let known = verdicts[traits] { return known }
    let problems = errors(in: payload[start...])
    if verdicts.count == Self.verdictLimit { verdicts.removeAll(keepingCapacity: true) }
    verdicts[traits] = problems
    return problems
  }

  private func errors(in payload: ArraySlice<UInt8>) -> [Problem] {
    let problems = judge.problems(of: payload)
    return problems.contains { $0.severity == .error } ? problems : []
  }
}

extension TemplateValues {
  /// Creates the values of a row without any of the variables.
  init(missing count: Int) {
    self.init()
    for _ in 0..<count { append(.missing, UnsafeBufferPointer(start: nil, count: 0)) }
  }
}

extension TemplateForm {
  /// The problems of a row whose values do not fit their places.
  func problems(_ values: TemplateValues, in draft: Draft) -> [Problem] {
    guard let payload = draft.payload else { return [] }
    return faults(values).flatMap { slot, fault in
      slot.problem(fault, names[slot.name], in: payload)
    }
  }
}
