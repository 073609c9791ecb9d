internal import CommandLineKit

/// What `fanfare` alone shows: what it is, what to try first, and where help is.
enum StartScreen {
  /// Commands to try, in this order.
  static let steps = [
    Example(
      "fanfare send --env emulator --bundle-id com.example.app --title Hi --to 0a1b",
      "A push to the local APNs that comes with it. No Apple account is needed."),
    Example("fanfare init", "A settings file, a payload and a scenario to start from."),
    Example("fanfare check .", "Whether there is a mistake in them. Nothing is sent."),
    Example("fanfare doctor --env sandbox", "What is missing between here and Apple's APNs."),
  ]

  static let text =
    """
    fanfare sends Apple push notifications from the shell, a script or CI.

    Try these, in this order:

    \(steps.map { "  \($0.line)\n      \($0.meaning)" }.joined(separator: "\n"))

    'fanfare help' lists all commands, 'fanfare help send' the options of one.
    'fanfare explain BadDeviceToken' tells what an answer of APNs means.

    """
}
