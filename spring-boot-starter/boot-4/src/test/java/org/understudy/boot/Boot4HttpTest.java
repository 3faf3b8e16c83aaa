package org.understudy.boot;

/** As with Boot 3. */
class Boot4HttpTest extends BootHttpTest {}
