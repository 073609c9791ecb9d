package import CommandLineKit
package import JSONText
internal import PlainText

/// The ID of a plan: a short digest of all that is shown of it.
package struct PlanID: Hashable, Sendable {
  /// The number of its digits.
  package static let length = 16

  /// Hexadecimal digits, in lower case.
  package let text: String

  /// - Parameter digest: at least half as many bytes as the ID has digits.
  package init(digest: [UInt8]) { text = String(hexadecimal(digest).prefix(Self.length)) }

  /// Reads an ID; nil for anything else.
  package init?(text: String) {
    let isID = text.utf8.count == Self.length && text.allSatisfy { "0123456789abcdef".contains($0) }
    guard isID else { return nil }
    self.text = text
  }
}

extension PlanID: ArgumentValue {
  package init(argument word: String) throws(BadValue) {
    guard let id = Self(text: word) else {
      throw .expected("the ID of a plan, as --plan prints it: \(Self.length) digits and letters")
    }
    self = id
  }

  package var argumentText: String { text }
}

/// Consent to send without being asked.
package enum Consent: SettingValue {
  /// To whatever the command does.
  case always
  /// To one plan, and no other.
  case plan(PlanID)

  package var json: JSON {
    switch self {
    case .always: true
    case .plan(let id): JSON(.string(id.text))
    }
  }

  package init?(json: JSON) {
    if json == true {
      self = .always
    } else if let id = json.string.flatMap(PlanID.init) {
      self = .plan(id)
    } else {
      return nil
    }
  }
}
