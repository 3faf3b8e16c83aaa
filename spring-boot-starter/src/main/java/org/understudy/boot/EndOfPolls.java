package org.understudy.boot;

import org.springframework.context.SmartLifecycle;
import org.understudy.container.deployment.Deployment;

/** Ends the requests of clients that wait for a new view before Boot's graceful end waits for all requests that run. */
final class EndOfPolls implements SmartLifecycle {
  private final Deployment deployment;
  private volatile boolean running;

  EndOfPolls(Deployment deployment) {
    this.deployment = deployment;
  }

  @Override
  public void start() {
    running = true;
    // After a pause, as Spring's tests make one.
    deployment.holdPolls(true);
  }

  @Override
  public void stop() {
    running = false;
    deployment.holdPolls(false);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Before the graceful end of the web server, which has a lower phase. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }
}
