package import APNS

/// Writes what it is given: `name kind value`. A row with the value `bad` breaks a rule.
package struct EchoRendering: RowRendering {
  package let names: [String]
  package let neededNames: [String]

  package init(names: [String], needing neededNames: [String] = []) {
    (self.names, self.neededNames) = (names, neededNames)
  }

  package mutating func render(
    _ values: TemplateValues, into payload: inout [UInt8]
  ) throws(BrokenRules) {
    let parts = names.indices.map { index in
      values.withValue(at: index) { kind, value in
        let text = String(decoding: value, as: UTF8.self)
        return "\(names[index]) \(kind)" + (kind == .missing ? text : " " + text)
      }
    }
    if parts.contains(where: { $0.hasSuffix(" bad") }) {
      throw BrokenRules([Problem(.error, rule: "r", at: .other("x"), message: "bad", fix: "")])
    }
    payload += Array(parts.joined(separator: ", ").utf8)
  }
}
