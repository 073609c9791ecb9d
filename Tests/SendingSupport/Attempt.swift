import PushEmulator

/// A push as a test's script sees it.
struct Attempt: Sendable {
  let push: IncomingPush
  /// Which attempt at this device token it is, from 1.
  let attempt: Int
  /// The number that `deviceTokens` gave the token.
  var token: Int { push.token.number }
}
