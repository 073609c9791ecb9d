import APNS
import Foundation
import RuleSamples
import Testing

@testable import PushEmulator

/// What the rules refuse with a reason, the emulator refuses with the same reason. What they refuse
/// because APNs would say nothing, it takes without a word, as APNs does.
@Suite("Rules and emulator agree")
struct RuleAgreementTests {
  /// What the emulator answers to a push that breaks a rule.
  enum Answer: Hashable {
    case accepted, reason(Reason), wordOfItsOwn
  }

  static let errors = RulePair.all.filter {
    $0.broken.audience == .device && $0.broken.variables == nil
      && RuleTable.rule($0.rule)?.severity == .error
  }

  @Test("on every draft that breaks a rule", arguments: errors)
  func agree(_ pair: RulePair) throws {
    let rule = try #require(RuleTable.rule(pair.rule))
    guard rule.isForceable else {
      let context = pair.broken.context
      let broken = #expect(throws: BrokenRules.self) {
        try pair.broken.draft.fieldsForced(in: context)
      }
      #expect(broken?.problems.map(\.rule).contains(pair.rule) == true)
      return
    }
    #expect(answer(to: pair.broken) == expected(rule))
    #expect(answer(to: pair.kept) == .accepted)
  }

  @Test("on every draft that only earns a warning: APNs refuses few of them")
  func agreeOnWarnings() throws {
    for pair in RulePair.all where RuleTable.rule(pair.rule)?.severity == .warning {
      let rule = try #require(RuleTable.rule(pair.rule))
      #expect(answer(to: pair.broken) == expected(rule), "\(pair)")
      #expect(answer(to: pair.kept) == .accepted, "\(pair)")
    }
  }

  @Test("on the payloads of the gallery", arguments: PushType.table)
  func agreeOnGallery(_ info: PushTypeInfo) throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../payloads")
      .appending(path: info.type.rawValue).standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files {
      var sample = RuleSample()
      sample.fields = [
        ("apns-topic", "com.example.shop" + info.suffix), ("apns-push-type", info.type.rawValue),
        ("apns-priority", info.defaultPriority.description),
      ]
      sample.body = Array(try Data(contentsOf: file))
      sample.authentication = info.authentication.first
      #expect(answer(to: sample) == .accepted, "\(file.lastPathComponent)")
    }
  }

  private func answer(to sample: RuleSample) -> Answer {
    guard let reason = sample.refusal?.reason else { return .accepted }
    return reason.rawValue.hasPrefix("Emulator") ? .wordOfItsOwn : .reason(reason)
  }

  private func expected(_ rule: Rule) -> Answer {
    if let reason = rule.reason { return .reason(reason) }
    // It is JSON all the same, and the journal says which value counted.
    if rule.identifier == "payload-duplicate-key" { return .accepted }
    return rule.isAnswerKnown ? .accepted : .wordOfItsOwn
  }
}
