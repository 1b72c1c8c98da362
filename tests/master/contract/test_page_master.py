from master.contract.master import PageMaster
from master.service.service import MasterService
from tests.master.api.fake_master import FakeMaster


def test_master_and_its_stand_in_have_what_the_page_asks(service: MasterService) -> None:
    masters: list[PageMaster] = [service, FakeMaster()]
    for master in masters:
        asked = (master.figures, master.convergence, master.flow, master.search_tree, master.jobs)
        assert all(map(callable, asked))
