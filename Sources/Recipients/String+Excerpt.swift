internal import APNS

extension String {
  /// The part of a list's text that an error may show: 40 characters, and only the end of what
  /// looks like a device token.
  var excerptWithoutToken: String {
    if utf8.count >= 16, let token = try? DeviceToken(tidying: self) { return token.tail }
    return count > 40 ? prefix(40) + "…" : self
  }
}
