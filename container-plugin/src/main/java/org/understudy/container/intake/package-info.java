/** Takes request bodies without a blocked thread, within bounds for each client and in all. */
package org.understudy.container.intake;
