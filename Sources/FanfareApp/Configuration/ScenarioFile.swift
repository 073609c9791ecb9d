internal import APNS
internal import Projects

/// Reads a scenario and the payload it names.
///
/// - Throws: `Failure.problems` with everything that is wrong with the file.
func readScenario(_ file: String) throws(Failure) -> Scenario {
  if FileKind(path: file) == .list { throw .listForScenario(file) }
  do {
    let text = try readFile(file, for: "scenario")
    if ScenarioOutline(text, file: file).isScript { throw Failure.scriptForScenario(file) }
    return try ScenarioReader(file: file) { try? readFile($0, for: "payload") }.read(text)
  } catch let failure as Failure {
    throw failure
  } catch let failure as FileFailure {
    throw .file(failure)
  } catch let broken as BrokenRules {
    throw .problems(broken.problems)
  } catch {
    throw .problems([])
  }
}
