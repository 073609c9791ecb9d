internal import APNS

extension String {
  /// What an error may carry of a text in a list: 40 characters, and of what looks like a device
  /// token only the end.
  var excerptWithoutToken: String {
    if utf8.count >= 16, let token = try? DeviceToken(tidying: self) { return token.tail }
    return count > 40 ? prefix(40) + "…" : self
  }
}
