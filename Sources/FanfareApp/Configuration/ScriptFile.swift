internal import APNS
internal import PushEmulator

/// Reads a script for the emulator.
///
/// - Throws: `Failure.file` when it cannot be read, and `Failure.problems` with everything that is
///   wrong with it.
func readScript(_ file: String) throws(Failure) -> FaultScript {
  let text: [UInt8]
  do throws(FileFailure) { text = try readFile(file, for: "script") } catch { throw .file(error) }
  do throws(BrokenRules) {
    return try FaultScript(text, file: file)
  } catch {
    throw .problems(error.problems)
  }
}
