/// The contents of a new project's files, apart from its profiles.
enum ProjectTexts {
  /// `payloads/hello.json`
  static let payload = """
    {
      "aps": {
        "alert": {"title": "Hello, {{name|default('you')}}!", "body": "Your first push."},
        "sound": "default"
      }
    }

    """

  /// `scenarios/hello.json5`
  static let scenario = """
    // What to send, to whom, and the expected answer. Run it: fanfare run scenarios/hello.json5
    // Bundle ID, environment and key come from the profile in ../fanfare.json.
    {
      name: "Hello",
      // Device tokens, or files of them such as "../tokens.csv". This token is made up, which is
      // fine for the emulator. --to TOKEN sends to another.
      recipients: ["0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"],
      // Values of the placeholders in the payload.
      variables: { name: "Ada" },
      notification: {
        type: "alert",
        // APNs keeps it for an hour if the device is off.
        expiration: "1h",
        payload: "../payloads/hello.json",
      },
      expect: { status: 200 },
    }

    """
}
