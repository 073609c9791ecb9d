public import APNS
public import JSONText

/// A device, with the values that a ``NotificationTemplate`` is filled with for it.
public struct Recipient: Sendable, Hashable {
  /// The device token.
  public var token: DeviceToken

  /// The values of placeholders, by name. One that is missing takes the placeholder's default.
  public var variables: [String: JSON]

  /// Creates a recipient.
  public init(_ token: DeviceToken, variables: [String: JSON] = [:]) {
    (self.token, self.variables) = (token, variables)
  }
}

/// An element of a list to send to: a device token, its digits, or a ``Recipient``.
///
/// Digits that are not a device token do not end the list: they have a result of their own, with
/// the fault as its ``SendResult/obstacle``.
public protocol RecipientConvertible: Sendable {
  /// Returns the recipient.
  ///
  /// - Throws: ``DeviceTokenError``, which becomes this recipient's result.
  func recipient() throws(DeviceTokenError) -> Recipient
}

extension Recipient: RecipientConvertible {
  /// Returns itself.
  public func recipient() -> Recipient { self }
}

extension DeviceToken: RecipientConvertible {
  /// Returns a recipient without variables.
  public func recipient() -> Recipient { Recipient(self) }
}

extension String: RecipientConvertible {
  /// Returns the recipient with these digits.
  public func recipient() throws(DeviceTokenError) -> Recipient {
    Recipient(try DeviceToken(self))
  }
}

extension Substring: RecipientConvertible {
  /// Returns the recipient with these digits.
  public func recipient() throws(DeviceTokenError) -> Recipient {
    Recipient(try DeviceToken(self))
  }
}
