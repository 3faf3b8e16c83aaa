package org.understudy.matchmaker.service;

import org.understudy.matchmaker.DuplicateJob;
import org.understudy.matchmaker.DuplicateJobFault;
import org.understudy.matchmaker.InvalidRequest;
import org.understudy.matchmaker.InvalidRequestFault;
import org.understudy.matchmaker.LimitReached;
import org.understudy.matchmaker.LimitReachedFault;
import org.understudy.matchmaker.MachineConflict;
import org.understudy.matchmaker.MachineConflictFault;
import org.understudy.matchmaker.NoMatchingMachine;
import org.understudy.matchmaker.NoMatchingMachineFault;
import org.understudy.matchmaker.UnknownJob;
import org.understudy.matchmaker.UnknownJobFault;

/** Makes the declared faults, each with one message, and checks the values of a request. */
final class Faults {
  private static final int MAX_CHARS = 256;

  private Faults() {}

  /** Checks a text of a request. */
  static void requireText(String name, String value) throws InvalidRequest {
    if (value == null) {
      throw invalid("The request has no " + name + ". Nothing was changed.");
    }
    if (value.isBlank() || value.length() > MAX_CHARS) {
      throw invalid("The " + name + " has 1 to " + MAX_CHARS + " characters and is not blank. Nothing was changed.");
    }
  }

  /** Checks a number of a request. */
  static void requireRange(String name, int value, int max) throws InvalidRequest {
    if (value < 0 || value > max) {
      throw invalid("The " + name + " is a number from 0 to " + max + ", not " + value + ". Nothing was changed.");
    }
  }

  static InvalidRequest invalid(String message) {
    InvalidRequestFault fault = new InvalidRequestFault();
    fault.setMessage(message);
    return new InvalidRequest(message, fault);
  }

  static MachineConflict conflict(String message) {
    MachineConflictFault fault = new MachineConflictFault();
    fault.setMessage(message);
    return new MachineConflict(message, fault);
  }

  static DuplicateJob duplicate(String message) {
    DuplicateJobFault fault = new DuplicateJobFault();
    fault.setMessage(message);
    return new DuplicateJob(message, fault);
  }

  static NoMatchingMachine noMatch(String message) {
    NoMatchingMachineFault fault = new NoMatchingMachineFault();
    fault.setMessage(message);
    return new NoMatchingMachine(message, fault);
  }

  static UnknownJob unknown(String message) {
    UnknownJobFault fault = new UnknownJobFault();
    fault.setMessage(message);
    return new UnknownJob(message, fault);
  }

  static LimitReached limit(String message) {
    LimitReachedFault fault = new LimitReachedFault();
    fault.setMessage(message);
    return new LimitReached(message, fault);
  }
}
