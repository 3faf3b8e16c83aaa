package org.understudy.matchmaker.service;

import java.util.Locale;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** How the Matchmaker answers a job. */
public enum Policy {
  /** A random suitable machine, or none (Zhang 2006, III.C.1). */
  QUEUED,
  /** The first suitable machine, or the fault NoMatchingMachine (Zhang 2006, IV.D.2). */
  IMMEDIATE;

  /** The system property that names the policy, and the name of the environment entry in {@code web.xml} with a dot for the slash. */
  public static final String PROPERTY = "matchmaker.policy";

  private static final String ENVIRONMENT = "java:comp/env/matchmaker/policy";

  /**
   * The policy of this deployment: the system property {@value #PROPERTY}, or else the environment entry {@code matchmaker/policy}
   * of the web application, or else {@link #QUEUED}.
   *
   * @throws IllegalArgumentException when the value names no policy
   */
  public static Policy configured() {
    String name = System.getProperty(PROPERTY);
    return of(name == null ? environment() : name);
  }

  /** @param name null for the default */
  static Policy of(String name) {
    if (name == null) {
      return QUEUED;
    }
    for (Policy policy : values()) {
      if (policy.toString().equals(name.strip())) {
        return policy;
      }
    }
    throw new IllegalArgumentException("The policy " + PROPERTY + " is queued or immediate, not '" + name + "'.");
  }

  @SuppressWarnings("BanJNDI") // The name is fixed, and of the application's own environment.
  private static String environment() {
    try {
      return (String) new InitialContext().lookup(ENVIRONMENT);
    } catch (NamingException e) {
      // The server has no naming, or the application no such entry.
      return null;
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
