internal import CommandLineKit

/// What `fanfare` without arguments shows: what it is, what to try first, and where to find help.
enum StartScreen {
  /// Commands to try, in this order.
  static let steps = [
    Example(
      "fanfare send --env emulator --bundle-id com.example.app --title Hi --to 0a1b",
      "Sends a push to the built-in local APNs. No Apple account needed."),
    Example("fanfare init", "Writes a settings file, a payload and a scenario to start from."),
    Example("fanfare check .", "Checks them for mistakes. Nothing is sent."),
    Example(
      "fanfare doctor --env sandbox",
      "Tests the connection to Apple's APNs and says what is missing."),
  ]

  static let text =
    """
    fanfare sends Apple push notifications from the shell, a script or CI.

    Try these, in this order:

    \(steps.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n"))

    'fanfare help' lists all commands, 'fanfare help send' the options of one.
    'fanfare explain BadDeviceToken' explains an answer from APNs.

    """
}
