/** What every measurement of the lab needs to be told: durations, progress, and a page with plots that stands alone. */
package org.understudy.lab.report;
