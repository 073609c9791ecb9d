import APNS
import JSONText

extension FuzzTarget {
  /// Bytes as a payload with placeholders, a line feed, and the value of all its variables: what is
  /// rendered has the template's keys, and the quick verdict on it is that of all rules.
  static let template = FuzzTarget("Template") { bytes in
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let payload = DraftPayload(reading: Array(parts[0]), file: "payload.json")
    let value = parts.count > 1 ? Array(parts[1]) : []
    for type in PushType.table.map(\.type) {
      let draft = Draft(
        fields: [DraftField(.topic, "com.example.shop"), DraftField(.pushType, type.rawValue)],
        payload: payload)
      let context = RuleContext(now: 1_800_000_000)
      guard let template = Template(draft, in: context) else { return }
      try expectPresentable(template.problems)
      guard let renderer = try? template.renderer(),
        let forced = try? template.renderer(force: true)
      else { continue }
      var run = TemplateTrialRun(draft, context, renderer, forced)
      try run.run(.text, value)
      let json = (try? JSONReader().read(value))?.encoded(.wire)
      if let json { try run.run(.json, json) }
    }
  }
}

/// One value in all places of a template.
private struct TemplateTrialRun {
  let draft: Draft
  let context: RuleContext
  var renderer: TemplateRenderer
  var forced: TemplateRenderer

  init(
    _ draft: Draft, _ context: RuleContext, _ renderer: TemplateRenderer,
    _ forced: TemplateRenderer
  ) {
    (self.draft, self.context, self.renderer, self.forced) = (draft, context, renderer, forced)
  }

  /// The empty text goes first, so that a verdict that must not be used again is there.
  mutating func run(_ kind: TemplateValues.Kind, _ value: [UInt8]) throws {
    for (kind, bytes) in [(.text, []), (kind, value), (.missing, []), (kind, value)] {
      try check(kind, bytes)
    }
  }

  private mutating func check(_ kind: TemplateValues.Kind, _ value: [UInt8]) throws {
    var values = TemplateValues()
    for _ in renderer.names { value.withUnsafeBufferPointer { values.append(kind, $0) } }
    var bytes: [UInt8] = []
    var payload: [UInt8] = []
    do throws(BrokenRules) {
      try forced.render(values, into: &bytes)
    } catch {
      return try expectPresentable(error.problems)
    }
    var filled = draft
    filled.payload = DraftPayload(reading: bytes, file: "payload.json")
    let json = try JSONReader().read(bytes)
    try expect(json.isMade(of: draft.payload?.json), "a value adds nothing beside its place")
    let expected = RuleTable.problems(in: filled, context)
    let found = Result { () throws(BrokenRules) in try renderer.render(values, into: &payload) }
    switch found {
    case .success:
      try expect(payload == bytes, "a good row is rendered")
      try expect(!expected.contains { $0.severity == .error }, "a row that is let through is good")
    case .failure(let error):
      try expectPresentable(error.problems)
      let (found, all) = (error.problems.map(\.message), expected.map(\.message))
      try expect(found == all, "all that is wrong is told", "\(found), \(all)")
    }
  }
}

extension JSON {
  /// Whether this is a template's tree, but for what stands where the template has a text.
  fileprivate func isMade(of template: JSON?) -> Bool {
    switch template?.content {
    case .object(let other)?:
      guard let object, object.keys == other.keys else { return false }
      return zip(object.members, other.members).allSatisfy { $0.value.isMade(of: $1.value) }
    case .array(let others)?:
      guard let array, array.count == others.count else { return false }
      return zip(array, others).allSatisfy { $0.isMade(of: $1) }
    case .string?: return true
    default: return self == template
    }
  }
}
