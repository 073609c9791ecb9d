import CommandLineKit
import Foundation
import SendingSupport
import TestSupport
import Testing

/// A workflow of GitHub Actions or a file of GitLab CI that a document shows.
struct CIRecipe {
  let source: String
  let file: PlainYAML

  /// What stands in expressions and variables of the two services.
  private static let values = [
    "${{ secrets.FANFARE_KEY }}": "$(cat \(keyFile))",
    "${{ vars.FANFARE_KEY_ID }}": "ABC123DEFG", "${{ vars.FANFARE_TEAM_ID }}": "DEF123GHIJ",
    "${{ secrets.TOKENS_URL }}": "file://$PWD/export.csv", "${{ matrix.shard }}": "1",
  ]

  private static let variables = [
    "GITHUB_STEP_SUMMARY=summary.md", "CI_NODE_INDEX=1", "CI_NODE_TOTAL=4",
    "TOKENS_URL=file://$PWD/export.csv",
  ]

  /// Its jobs, in order: steps of which each is a script that bash ends at the first failure.
  var examples: [ShellExample] {
    let variables = Self.variables.map { "export \($0)" } + exports(of: file["env"])
    return jobs.map { name, job in
      let commands = (variables + typed(for: job)).map { ShellExample.Command(text: $0) }
      return ShellExample(source: "\(source), \(name)", commands: commands)
    }
  }

  /// The files that the scripts of each job write; a number of the service is `*` in them.
  var writtenFiles: [String: Set<String>] {
    let option = #"(?:--results|--dead-tokens|--junit|>) +"?"#
    let named = try? Regex(option + #"([\w.-]+(?:\$CI_NODE_INDEX)?[\w.-]*)"#)
    return files { job in
      typed(for: job).flatMap { script in
        (named.map { script.matches(of: $0) } ?? []).compactMap { match in
          match[1].substring.map { String($0).replacing("$CI_NODE_INDEX", with: "*") }
        }
      }
    }
  }

  /// The files that each job hands on or keeps.
  var keptFiles: [String: Set<String>] {
    files { job in
      let paths = (job["steps"]?.items ?? []).compactMap { $0["with"]?["path"]?.text }
      let listed = job["artifacts"]?["paths"]?.items.compactMap(\.text) ?? []
      let reports = job["artifacts"]?["reports"]?.members.compactMap(\.value.text) ?? []
      return (paths + listed + reports).flatMap { $0.split(separator: "\n") }
        .map { $0.split(separator: " ").joined() }
    }
  }

  private func files(_ names: (PlainYAML) -> [String]) -> [String: Set<String>] {
    Dictionary(uniqueKeysWithValues: jobs.map { ($0.name, Set(names($0.job))) })
  }

  private var jobs: [(name: String, job: PlainYAML)] {
    (file["jobs"] ?? file).members.map { ($0.key, $0.value) }
      .filter { $0.job["steps"] != nil || $0.job["script"] != nil }
  }

  private func typed(for job: PlainYAML) -> [String] {
    let steps = job["steps"]?.items.compactMap { $0["run"]?.text ?? action($0) }
    let scripts = steps ?? [(job["script"]?.items ?? []).compactMap(\.text).joined(separator: "\n")]
    return exports(of: job["env"] ?? job["variables"])
      + scripts.map { "bash -e <<'STEP'\n\(filled($0))\nSTEP" }
  }

  /// What the project's own Action does in a step, where fanfare is installed already.
  private func action(_ step: PlainYAML) -> String? {
    guard let version = step["uses"]?.text?.firstMatch(of: /^OWNER\/fanfare@(.+)/)?.1 else {
      return nil
    }
    let inputs = (step["with"]?.members ?? []).map { name, value in
      let variable = name.uppercased().replacing("-", with: "_")
      return "export INPUT_\(variable)=\"\(filled(value.text ?? ""))\""
    }
    let runner = """
      export RUNNER_TEMP=$PWD/runner ACTION_REF=\(version) GITHUB_PATH=path
      mkdir -p runner/fanfare/bin && ln -sf "$(command -v fanfare)" runner/fanfare/bin
      echo \(version) >runner/fanfare/asked
      '\(projectFolder.appending(path: "Packaging/action").path)'
      """
    return (inputs + [runner]).joined(separator: "\n")
  }

  private func exports(of variables: PlainYAML?) -> [String] {
    (variables?.members ?? []).map { "export \($0.key)=\"\(filled($0.value.text ?? ""))\"" }
  }

  private func filled(_ text: String) -> String {
    Self.values.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }
}
