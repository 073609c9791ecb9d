import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an XML document.
final class XMLTree {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var elements: [XMLTree] = []
  fileprivate(set) var text = ""

  fileprivate init(_ name: String, _ attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// Whether there is text beside its elements.
  var hasText: Bool { text.contains { !$0.isWhitespace } }
}

extension XMLTree {
  struct NotXML: Error {}

  /// The outermost element of a document.
  convenience init(_ document: String) throws {
    let reader = TreeReader()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = reader
    guard parser.parse(), let root = reader.root else { throw NotXML() }
    self.init(root.name, root.attributes)
    (elements, text) = (root.elements, root.text)
  }
}

private final class TreeReader: NSObject, XMLParserDelegate {
  var root: XMLTree?
  private var path: [XMLTree] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = XMLTree(name, attributes)
    path.last?.elements.append(element)
    root = root ?? element
    path.append(element)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    path.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { path.last?.text += text }
}

/// What a schema demands of the elements that reports have.
struct JUnitSchema: Sendable, CustomStringConvertible {
  /// What an element may have.
  struct Element: Sendable {
    var required: Set<String> = []
    var optional: Set<String> = []
    /// The names of its elements, each followed by a space, as a regular expression.
    var content = ""
    var allowsText = false
  }

  let description: String
  let elements: [String: Element]

  /// What attributes that are times look like.
  private let time = "(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\\.[0-9]{0,3})?"

  static let all = [surefire, jenkins]

  /// surefire-test-report-3.0.xsd of Maven Surefire.
  private static let surefire = JUnitSchema(
    description: "Surefire",
    elements: [
      "testsuite": Element(
        required: ["name", "tests", "errors", "skipped", "failures"],
        // JUnit and Ant write the time here, and Surefire's own readers pass over it.
        optional: ["version", "time", "group", "timestamp"],
        content: "(properties )*(testcase )*"),
      "properties": Element(content: "(property )*"),
      "property": Element(required: ["name", "value"]),
      "testcase": Element(
        required: ["name", "time"], optional: ["classname", "group"],
        content: "(failure )*(skipped )?(error )?(system-out )?(system-err )?"),
      "failure": Element(required: ["type"], optional: ["message"], allowsText: true),
      "error": Element(required: ["type"], optional: ["message"], allowsText: true),
      "skipped": Element(optional: ["message"], allowsText: true),
      "system-out": Element(allowsText: true), "system-err": Element(allowsText: true),
    ])

  /// junit-10.xsd of the xUnit plugin of Jenkins.
  private static let jenkins = JUnitSchema(
    description: "Jenkins",
    elements: [
      "testsuites": Element(
        optional: ["name", "time", "tests", "failures", "errors"], content: "(testsuite )*"),
      "testsuite": Element(
        required: ["name", "tests", "failures", "errors"],
        optional: [
          "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log",
          "url",
        ], content: "((testsuite|properties|testcase|system-out|system-err) )*"),
      "properties": Element(content: "(property )*"),
      "property": Element(required: ["name", "value"]),
      "testcase": Element(
        required: ["name"], optional: ["time", "classname", "group"],
        content: "((skipped|error|failure|system-out|system-err) )*"),
      "failure": Element(optional: ["type", "message"], allowsText: true),
      "error": Element(optional: ["type", "message"], allowsText: true),
      "skipped": Element(optional: ["type", "message"], allowsText: true),
      "system-out": Element(allowsText: true), "system-err": Element(allowsText: true),
    ])

  /// What a document has that the schema does not allow, and lacks that it demands.
  func faults(in tree: XMLTree) -> [String] {
    guard let element = elements[tree.name] else { return ["<\(tree.name)>"] }
    let names = Set(tree.attributes.keys)
    let missing = element.required.subtracting(names)
    let unknown = names.subtracting(element.required.union(element.optional))
    let content = tree.elements.map { $0.name + " " }.joined()
    let time = tree.attributes["time"]
    return missing.sorted().map { "<\(tree.name)> lacks \($0)" }
      + unknown.sorted().map { "<\(tree.name) \($0)>" }
      + (matches(content, element.content) ? [] : ["<\(tree.name)> holds \(content)"])
      + (time.map { matches($0, self.time) } ?? true ? [] : ["time=\(time ?? "")"])
      + (tree.hasText && !element.allowsText ? ["text in <\(tree.name)>"] : [])
      + tree.elements.flatMap(faults)
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    text.range(of: "^(\(pattern))$", options: .regularExpression) != nil
  }
}
