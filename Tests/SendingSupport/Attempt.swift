package import PushEmulator

/// A push as a test's script sees it.
package struct Attempt: Sendable {
  package let push: IncomingPush
  /// Which attempt at this device token it is, from 1.
  package let attempt: Int
  /// The number that `deviceTokens` gave the token.
  package var token: Int { push.token.number }
}
