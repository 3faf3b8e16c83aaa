package org.understudy.boot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.understudy.container.deployment.Deployment;

/** Reports that the starter is on the class path and nothing configures a replica. */
@AutoConfiguration(after = UnderstudyAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnMissingBean(Deployment.class)
public class UnderstudyInactiveAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(UnderstudyInactiveAutoConfiguration.class);

  /** Called by Spring. */
  public UnderstudyInactiveAutoConfiguration() {
    LOG.info("Understudy is on the class path and inactive: nothing is replicated. Set understudy.replica and the other keys of the "
        + "configuration, or understudy.config, see docs/services.md.");
  }
}
