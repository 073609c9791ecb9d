package import APNS
internal import JSONText
internal import PlainText

extension RecordFormat {
  /// The first field alone, one value per line.
  static let firstField = RecordFormat("txt", isComplete: false) { _ in FirstFieldEncoder() }

  /// A line per record, made by a template, with text escaped for terminals.
  package static func lines(_ template: LineTemplate) -> any RecordEncoder {
    TemplateEncoder(template)
  }
}

private final class FirstFieldEncoder: RecordEncoder {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  func write(_ name: String, _ value: FieldValue?) {
    if isFirst {
      value.withCell(text: { text, _ in text.printable }) { bytes.append(contentsOf: $0) }
    }
    isFirst = false
  }

  func endRecord() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

private final class TemplateEncoder: RecordEncoder {
  private let template: LineTemplate
  private(set) var bytes: [UInt8] = []
  private var values: [UInt8] = []
  private var ends: [Int] = []

  init(_ template: LineTemplate) { self.template = template }

  func write(_ name: String, _ value: FieldValue?) {
    value.withCell(text: { text, _ in text.printable }) { values.append(contentsOf: $0) }
    ends.append(values.count)
  }

  func endRecord() {
    template.write(values, ending: ends, into: &bytes)
    values.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
