package org.understudy.container.service;

import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReadLevel;

/**
 * How reads are declared.
 *
 * @param defaultLevel of a read for which nothing else states one
 * @param claimed the level of a read that its client alone declares; null if clients cannot
 */
public record ReadRules(ReadLevel defaultLevel, ReadLevel claimed) {
  public static ReadRules of(Configuration configuration) {
    ReadLevel level = configuration.readLevel();
    return new ReadRules(level, configuration.trustsClientReads() ? level : null);
  }
}
