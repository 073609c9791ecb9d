/// Error codes of RFC 9113 section 7.
enum ResetCode {
  static let noError: UInt32 = 0
  static let internalError: UInt32 = 2
  static let refusedStream: UInt32 = 7
  static let cancel: UInt32 = 8
  static let enhanceYourCalm: UInt32 = 11
}
