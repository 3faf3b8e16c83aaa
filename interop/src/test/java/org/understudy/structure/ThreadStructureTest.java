package org.understudy.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

/** One place makes daemon threads, so that each has a name and none keeps a process alive. */
class ThreadStructureTest {
  @Test
  void onlyTheModuleThreadsMakesDaemons() throws IOException {
    noClasses().that().resideInAPackage("org.understudy..").and().resideOutsideOfPackage("org.understudy.thread..")
        .should().implement(ThreadFactory.class)
        .orShould().callMethod(Thread.class, "setDaemon", boolean.class)
        .because("DaemonThreads names the threads of an executor, and makes single ones")
        .check(CompiledModules.of("thread.DaemonThreads", "client.FaultTolerantGroup", "replication.runtime.ProcessHost"));
  }
}
