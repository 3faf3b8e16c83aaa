package org.understudy.lab.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The results of a demonstration. */
final class Verdict {
  private final List<Account> accounts;
  private final Faults faults;
  private final long replayed;
  private final int clients;

  Verdict(List<Account> accounts, Faults faults, long replayed, int clients) {
    this.accounts = accounts;
    this.faults = faults;
    this.replayed = replayed;
    this.clients = clients;
  }

  /** Prints all, PASS or FAIL last. */
  boolean print() {
    long calls = 0;
    long twice = 0;
    long lost = 0;
    List<String> unknown = new ArrayList<>();
    List<String> violations = new ArrayList<>();
    List<Long> latencies = new ArrayList<>();
    int finished = 0;
    for (Account account : accounts) {
      // The last entry of an account is the value that was read at the end.
      finished += account.calls() > 1 && account.unknown().isEmpty() ? 1 : 0;
      calls += Math.max(0, account.calls() - 1);
      twice += account.executedTwice();
      lost += account.lost();
      unknown.addAll(account.unknown());
      violations.addAll(account.violations());
      latencies.addAll(account.latencies());
    }
    Collections.sort(latencies);
    List<Long> outages = latencies.stream().filter(Account::isOutage).toList();
    System.out.printf("calls                    %,d by %d clients, p50 %.2f ms, p99 %.2f ms%n",
        calls, clients, at(latencies, 50) / 1e6, at(latencies, 99) / 1e6);
    System.out.printf("failovers followed       %d%n", faults.followed());
    System.out.printf("outage seen by a client  p50 %.0f ms, p99 %.0f ms, max %.0f ms (%d calls over 50 ms)%n",
        at(outages, 50) / 1e6, at(outages, 99) / 1e6, at(outages, 100) / 1e6, outages.size());
    System.out.printf("duplicates answered      %d%n", replayed);
    System.out.printf("executed more than once  %d%n", twice);
    System.out.printf("acknowledged but lost    %d%n", lost);
    violations.forEach(System.out::println);
    unknown.forEach(what -> System.out.println("no result: " + what));
    boolean pass = twice == 0 && lost == 0 && violations.isEmpty() && unknown.isEmpty() && finished == clients && faults.areFollowed();
    if (finished != clients) {
      System.out.printf("only %d of %d clients finished%n", finished, clients);
    }
    if (!faults.areFollowed()) {
      System.out.printf("not all failovers were followed: %s%n", faults);
    }
    System.out.println(pass ? "PASS" : "FAIL");
    return pass;
  }

  private static double at(List<Long> sorted, int percent) {
    return sorted.isEmpty() ? 0 : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }
}
