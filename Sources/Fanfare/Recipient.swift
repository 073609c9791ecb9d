public import APNS
public import JSONText

/// A device, with the values that a ``PushTemplate`` is filled with for it.
public struct Recipient: Sendable, Hashable {
  private let address: Result<DeviceToken, DeviceTokenError>

  /// The values of placeholders, by name. One that is missing takes the placeholder's default.
  public var variables: [String: JSON]

  /// Text that its ``SendResult`` has too, such as the key of a row of one's own.
  public var tag: String?

  /// Creates a recipient.
  ///
  /// - Parameters:
  ///   - token: the device token.
  ///   - variables: the values of placeholders, by name.
  ///   - tag: leads from the ``SendResult`` back to a row of one's own.
  public init(_ token: DeviceToken, variables: [String: JSON] = [:], tag: String? = nil) {
    (address, self.variables, self.tag) = (.success(token), variables, tag)
  }

  /// Creates a recipient.
  ///
  /// - Parameters:
  ///   - token: the digits of the device token. When they are none, the recipient is skipped.
  ///   - variables: the values of placeholders, by name.
  ///   - tag: leads from the ``SendResult`` back to a row of one's own.
  public init(
    _ token: some StringProtocol, variables: [String: JSON] = [:], tag: String? = nil
  ) {
    address = Result { () throws(DeviceTokenError) in try DeviceToken(token) }
    (self.variables, self.tag) = (variables, tag)
  }

  /// The device token.
  ///
  /// - Throws: ``DeviceTokenError`` when its digits were none.
  public var token: DeviceToken {
    get throws(DeviceTokenError) { try address.get() }
  }
}

/// An element of a list to send to: a device token, its digits, a ``Recipient``, or a row of one's
/// own.
///
/// Digits that are not a device token do not end the list: they have a result of their own, with
/// the fault as its ``SendResult/obstacle``.
public protocol RecipientConvertible: Sendable {
  /// The recipient.
  var recipient: Recipient { get }
}

extension Recipient: RecipientConvertible {
  /// Itself.
  public var recipient: Recipient { self }
}

extension DeviceToken: RecipientConvertible {
  /// A recipient without variables.
  public var recipient: Recipient { Recipient(self) }
}

extension String: RecipientConvertible {
  /// The recipient with these digits.
  public var recipient: Recipient { Recipient(self) }
}

extension Substring: RecipientConvertible {
  /// The recipient with these digits.
  public var recipient: Recipient { Recipient(self) }
}
