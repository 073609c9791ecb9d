internal import APNS

/// The key of a setting in profiles, which has the name of the setting's row.
struct ProfileKey: Sendable {
  private let shape: @Sendable () -> FileShape
  private let help: String
  /// A sentence about text that is no value, and the fix; nil if the shape says all.
  let fault: (message: String, fix: String)?
  /// Scenarios or devices have it, too: ``SettingsReader`` reads it.
  let isShared: Bool
  /// The value is a length of time: of text that is none, the shape tells.
  private(set) var isTime = false

  init(
    _ shape: @autoclosure @escaping @Sendable () -> FileShape, help: String, isShared: Bool = false
  ) {
    (self.shape, self.help, self.isShared) = (shape, help, isShared)
    fault = nil
  }

  init(
    _ shape: @autoclosure @escaping @Sendable () -> FileShape, help: String, fault: String,
    fix: String
  ) {
    (self.shape, self.help, self.fault) = (shape, help, (fault, fix))
    isShared = false
  }

  /// A length of time.
  static func time(help: String) -> Self {
    var key = Self(
      .timeSpan, help: help, fault: "The time must not be zero.", fix: "Write at least \"1ms\".")
    key.isTime = true
    return key
  }

  func key(_ name: String) -> FileKey { FileKey(name, shape(), help: help) }
}
