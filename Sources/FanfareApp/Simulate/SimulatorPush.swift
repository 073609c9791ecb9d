internal import APNS
internal import PlainText

/// Hands an `.apns` file to a simulator by way of `xcrun simctl push`.
struct SimulatorPush {
  private let device: String
  private let context: Context

  /// - Parameter device: the simulator's name or UDID, or `booted`.
  init(device: String, _ context: Context) {
    (self.device, self.context) = (device, context)
  }

  /// Pushes the file. Only the exit status tells whether it worked: simctl writes to standard error
  /// in either case.
  ///
  /// - Throws: `Failure.missingProgram`, `.file`, or `.simulatorRefused`.
  func push(_ file: SimulatorFile) throws(Failure) {
    guard let xcrun = Subprocess(named: "xcrun", in: context.environment) else {
      throw .missingProgram("xcrun")
    }
    let id = file.bundleID
    let result: Subprocess.Result
    do throws(FileFailure) {
      result = try xcrun.run(["simctl", "push", device, id.text, "-"], input: file.bytes)
    } catch {
      throw .file(error)
    }
    for line in result.output.split(whereSeparator: \.isNewline) {
      context.errors.write("simctl: \(line.printable)\n")
    }
    guard result.status == 0 else {
      throw .simulatorRefused(device: device, bundleID: id.text, status: result.status)
    }
    context.errors.write("pushed to \(id) on \(device.printable)\n")
  }
}

extension Failure {
  /// A program that does the work is not installed.
  static func missingProgram(_ name: String) -> Failure {
    Failure(
      "'\(name.printable)' was not found in PATH.",
      fix:
        "It comes with Xcode, on a Mac. Elsewhere write the file with --output and push it there.",
      .connection)
  }

  /// `simctl push` ended with another exit status than 0.
  static func simulatorRefused(device: String, bundleID: String, status: Int32) -> Failure {
    Failure(
      "simctl push to '\(device.printable)' failed with status \(status).",
      fix: "Check that the simulator is running and that \(bundleID.printable) is installed on it.",
      .failure)
  }
}
