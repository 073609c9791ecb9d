internal import APNS
internal import PushEmulator

/// Reads a script for the emulator.
///
/// - Throws: `Failure.problems` with everything that is wrong with the file.
func readScript(_ file: String) throws(Failure) -> FaultScript {
  do {
    return try FaultScript(try readFile(file, for: "script"), file: file)
  } catch let failure as FileFailure {
    throw .file(failure)
  } catch let broken as BrokenRules {
    throw .problems(broken.problems)
  } catch {
    throw .problems([])
  }
}
