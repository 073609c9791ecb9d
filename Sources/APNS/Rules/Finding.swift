import JSONText

/// One place where a draft breaks a rule.
public struct Finding: Sendable, Hashable {
  /// The part of the notification.
  public let place: Place
  /// The source of that part; nil if it is missing.
  public let origin: Origin?
  /// The problem, in one sentence.
  public let message: String
  /// The fix; nil to use the rule's own.
  public let fix: String?

  /// Creates a finding.
  public init(_ place: Place, from origin: Origin? = nil, _ message: String, fix: String? = nil) {
    self.place = place
    self.origin = origin
    self.message = message
    self.fix = fix
  }
}

extension Finding {
  init(_ field: DraftField, _ message: String, fix: String? = nil) {
    self.init(.header(field.name), from: field.origin, message, fix: fix)
  }

  /// A finding about the bundle ID in the path of a push to a channel; nil if that is missing.
  init(bundleID: DraftField?, _ message: String, fix: String? = nil) {
    self.init(.other(Draft.appField), from: bundleID?.origin, message, fix: fix)
  }

  init(missing name: HeaderName, _ message: String, fix: String? = nil) {
    self.init(.header(name.text), message, fix: fix)
  }
}

extension DraftPayload {
  /// A finding about a value of this payload.
  func finding(
    _ path: PayloadPath, _ value: JSON?, _ message: String, fix: String? = nil
  ) -> Finding {
    finding(path, at: value?.position, message, fix: fix)
  }

  func finding(
    _ path: PayloadPath, at position: JSONPosition? = nil, _ message: String,
    fix: String? = nil
  ) -> Finding {
    let isPlaced = file != nil || position != nil
    let origin = isPlaced ? Origin.file(file, at: position) : nil
    return Finding(.payload(path), from: origin, message, fix: fix)
  }
}
