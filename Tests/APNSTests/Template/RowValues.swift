import APNS
import JSONText

/// A value in a row of a list.
enum RowValue: Sendable, Hashable {
  case missing
  /// A CSV cell.
  case text(String)
  /// A member of a JSONL object, as it was written.
  case json(String)
  /// A CSV cell whose bytes need not be text.
  case bytes([UInt8])
}

extension TemplateValues {
  init(_ row: [String: RowValue], for names: [String]) {
    self.init()
    for name in names {
      let (kind, bytes) = (row[name] ?? .missing).parts
      bytes.withUnsafeBufferPointer { append(kind, $0) }
    }
  }
}

extension RowValue {
  fileprivate var parts: (TemplateValues.Kind, [UInt8]) {
    switch self {
    case .missing: (.missing, [])
    case .text(let text): (.text, Array(text.utf8))
    case .json(let text): (.json, Array(text.utf8))
    case .bytes(let bytes): (.text, bytes)
    }
  }
}

extension TemplateRenderer {
  /// The payload of a row as text.
  mutating func text(_ row: [String: RowValue]) throws(BrokenRules) -> String {
    var payload = Array("before".utf8)
    let values = TemplateValues(row, for: names)
    do throws(BrokenRules) {
      try render(values, into: &payload)
    } catch {
      if payload != Array("before".utf8) { throw BrokenRules([]) }
      throw error
    }
    return String(decoding: payload.dropFirst(6), as: UTF8.self)
  }
}

extension Template {
  static let now: Int64 = 1_700_000_000

  /// A template of a payload in an ordinary push.
  init?(_ text: String, type: String = "alert", variables: [String: JSON] = [:]) {
    let suffix = PushType(rawValue: type)?.info?.suffix ?? ""
    let topic = type == "mdm" ? "com.apple.mgmt.External.1" : "com.example.shop" + suffix
    self.init(
      .sample(topic: topic, type: type, text: text), variables: variables,
      in: RuleContext(now: Self.now))
  }
}
