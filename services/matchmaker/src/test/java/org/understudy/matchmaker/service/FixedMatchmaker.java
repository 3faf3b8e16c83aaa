package org.understudy.matchmaker.service;

/** A Matchmaker whose time and choices a test sets. */
final class FixedMatchmaker extends Matchmaker {
  long now = 1_000_000;
  int choice;
  /** Choices that were made. */
  int choices;

  FixedMatchmaker(MachineQueue machines, AccountSet accounts, Policy policy) {
    super(machines, accounts, policy, null);
  }

  @Override
  protected long now() {
    return now;
  }

  @Override
  protected int choose(int bound) {
    choices++;
    return choice % bound;
  }
}
