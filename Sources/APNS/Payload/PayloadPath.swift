/// The path from the top of a payload to a value.
public struct PayloadPath: Sendable, Hashable, CustomStringConvertible {
  /// One step down.
  public enum Step: Sendable, Hashable {
    /// Into a member of an object.
    case key(String)
    /// Into an element of an array, counted from 0.
    case index(Int)
  }

  /// The steps from the top.
  public var steps: [Step]

  /// Creates a path through objects, from the top.
  public init(_ keys: String...) { steps = keys.map(Step.key) }

  /// The path of a member.
  public func key(_ key: String) -> PayloadPath { appending(.key(key)) }

  /// The path of an element.
  public func index(_ index: Int) -> PayloadPath { appending(.index(index)) }

  /// The path as text, such as `aps.alert.loc-args[0]`. Keys are quoted unless they consist of
  /// letters, digits, `-` and `_`.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key):
        text += (text.isEmpty ? "" : ".") + (key.isPlain ? printable(key) : quoted(key))
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  private func appending(_ step: Step) -> PayloadPath {
    var path = self
    path.steps.append(step)
    return path
  }
}

extension String {
  fileprivate var isPlain: Bool {
    !isEmpty && unicodeScalars.allSatisfy(\.isPlain)
  }
}

extension Unicode.Scalar {
  // Tested on scalars because a character that is a letter may contain invisible joiners.
  fileprivate var isPlain: Bool {
    properties.isAlphabetic || properties.numericType != nil || self == "-" || self == "_"
  }
}
